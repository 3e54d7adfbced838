import { verifyFileInTwoThreads } from '../verify/verify-file.js'

// What runs in the process of a verification: the report goes to stdout, what prevents it to stderr.
try {
  process.stdout.write(JSON.stringify(await verifyFileInTwoThreads(process.argv[2] ?? '')))
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
}
