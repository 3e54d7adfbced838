import { verifyFile } from '../verify/verify-file.js'
import { examineCopy } from './examination.js'

// The process of an examination beside an exchange: writes its result to stdout, and a failure to stderr. One
// thread leaves the other cores to trading.
try {
  const inOneThread = async (file: string) => verifyFile(file)
  process.stdout.write(JSON.stringify(await examineCopy(process.argv[2] ?? '', inOneThread)))
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
}
