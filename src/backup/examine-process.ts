import { examineCopy } from './examination.js'

// The process of an examination: writes its result to stdout, and a failure to stderr.
try {
  process.stdout.write(JSON.stringify(await examineCopy(process.argv[2] ?? '')))
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
}
