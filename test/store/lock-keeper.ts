import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase, openScratch } from '../../src/store/database.js'

const { file, isLogged, memory } = workerData as {
  readonly file: string
  readonly isLogged: boolean
  readonly memory: SharedArrayBuffer
}
/** Long enough for the other thread to ask for the lock; the test holds if it does not. */
const KEPT_MS = 100

/** Keeps a file's lock to write until the other thread asks for it, and a little longer. */
const database = isLogged ? openDatabase(file) : openScratch(file)
const asked = new Int32Array(memory)
database.exec('BEGIN IMMEDIATE')
parentPort?.postMessage('kept')
Atomics.wait(asked, 0, 0)
Atomics.wait(asked, 0, 1, KEPT_MS)
database.exec('ROLLBACK')
database.close()
