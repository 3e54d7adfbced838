import { parentPort, workerData } from 'node:worker_threads'
import { Snapshot } from '../snapshot.js'
import { readStored } from './stored-part.js'
import type { ToStored } from './stored-thread.js'

const { path } = workerData as { readonly path: string }
const snapshot = new Snapshot(path)

parentPort?.on('message', (request: ToStored) => {
  if (request === 'renew') parentPort?.postMessage(snapshot.renew())
  else {
    const part = readStored(snapshot.database, () => undefined)
    snapshot.close()
    request.give.postMessage(part)
  }
})
parentPort?.postMessage(snapshot.renew())
