import { parentPort, workerData } from 'node:worker_threads'
import { Snapshot } from '../snapshot.js'
import { readStored } from './stored-part.js'

const { path } = workerData as { readonly path: string }
const snapshot = new Snapshot(path)

/** Tells which batch it sees last; `renew` asks for a later one, `read` for what the tables hold at it. */
parentPort?.on('message', (request: 'renew' | 'read') => {
  if (request === 'renew') parentPort?.postMessage(snapshot.renew())
  else {
    const part = readStored(snapshot.database, () => undefined)
    snapshot.close()
    parentPort?.postMessage(part)
  }
})
parentPort?.postMessage(snapshot.renew())
