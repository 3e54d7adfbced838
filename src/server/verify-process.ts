import { verifyFileInTwoThreads } from '../verify/verify-file.js'

// The process of a verification: writes the report to stdout, and a failure to stderr.
try {
  process.stdout.write(JSON.stringify(await verifyFileInTwoThreads(process.argv[2] ?? '')))
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
}
