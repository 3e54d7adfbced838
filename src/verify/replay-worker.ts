import type { MessagePort } from 'node:worker_threads'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromReplay, ToReplay } from './replay-thread.js'
import { Snapshot } from './snapshot.js'
import type { StoredPart } from './stored/stored-part.js'
import type { Progress } from './verification.js'
import { Verification } from './verification.js'

const TELL_EVERY_MS = 50

const { path } = workerData as { readonly path: string }
const snapshot = new Snapshot(path)
let toldAt = 0

parentPort?.on('message', (request: ToReplay) => {
  if (request === 'renew') send(snapshot.renew())
  else void verify(request.take)
})

async function verify(port: MessagePort): Promise<void> {
  const stored = new Promise<StoredPart>(resolve => port.once('message', resolve))
  const verification = new Verification(snapshot.database)
  verification.play(tell)
  const report = verification.conclude(await stored)
  snapshot.close()
  send({ report })
}

function tell(progress: Progress): void {
  const now = performance.now()
  const isLast = progress.stage === 'journal' && progress.done === progress.total
  if (now - toldAt < TELL_EVERY_MS && !isLast) return
  toldAt = now
  send(progress)
}

function send(message: FromReplay): void {
  parentPort?.postMessage(message)
}
