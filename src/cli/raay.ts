import { main } from './main.js'

// The program: `node raay.js <verb> …`.
await main(process.argv.slice(2))
