import fs = require('node:fs')
import path = require('node:path')
import threads = require('node:worker_threads')
import Database = require('better-sqlite3')

/**
 * Preloaded into every thread of a server whose SQL statements are counted: each execution by the driver
 * counts, and the sum is written down at each commit. This costs time, so such a server is not timed.
 */
const directory = process.env.RAAY_BENCH_STATEMENTS
if (directory !== undefined) countInto(path.join(directory, String(threads.threadId)))

type Method = (this: { readonly source: string }, ...values: unknown[]) => unknown

function countInto(path: string): void {
  const database = new Database(':memory:')
  const statements = Object.getPrototypeOf(database.prepare('SELECT 1')) as Record<string, Method>
  database.close()
  const file = fs.openSync(path, 'w')
  let count = 0
  for (const name of ['run', 'get', 'all', 'iterate']) {
    const execute = statements[name] as Method
    statements[name] = function (...values) {
      count++
      if (/^COMMIT/i.test(this.source)) fs.writeSync(file, String(count), 0)
      return execute.apply(this, values)
    }
  }
}
