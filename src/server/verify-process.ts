import { verifyFile } from '../verify/verify-file.js'

// The process of a verification: writes the report to stdout, and a failure to stderr. One thread leaves the
// other cores to trading.
try {
  process.stdout.write(JSON.stringify(verifyFile(process.argv[2] ?? '')))
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
}
