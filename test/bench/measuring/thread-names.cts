import fs = require('node:fs')
import path = require('node:path')
import threads = require('node:worker_threads')

/**
 * Preloaded into every thread of a server under measurement, so that its processor time has a name: a worker
 * writes the name of the file it runs into a file called by its number. Piscina's workers learn of their file
 * from the first message.
 */
const directory = process.env.RAAY_BENCH_THREADS
if (directory !== undefined && !threads.isMainThread && process.platform === 'linux') {
  const thread = path.join(directory, path.basename(fs.readlinkSync('/proc/thread-self')))
  const write = (file: string) => fs.writeFileSync(thread, path.basename(file, '.js'))
  // Node sets the entry after it has loaded this.
  process.nextTick(() => {
    const [, entry = ''] = process.argv
    if (!entry.includes('piscina')) write(entry)
    else threads.parentPort?.once('message', ({ filename }: { filename: string }) => write(filename))
  })
}
