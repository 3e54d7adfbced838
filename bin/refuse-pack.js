// Stops `npm pack` and `npm publish` in the checkout: the packages are made from it.
process.stderr.write('raay: npm run build:packages makes the packages, in release/npm; publish those.\n')
process.exit(1)
