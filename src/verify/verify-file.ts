import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Report } from './checks.js'
import { Snapshot } from './snapshot.js'
import type { StoredPart } from './stored-part.js'
import { readStored } from './stored-part.js'
import type { Progress } from './verification.js'
import { Verification } from './verification.js'

const ENTRY = new URL('./stored-worker.js', import.meta.url)

type Told = (progress: Progress) => void

/** Verifies a data file as it is at this moment, in this thread. Throws VerifyError where there is none. */
export function verifyFile(path: string, told: Told = () => undefined): Report {
  const snapshot = new Snapshot(path)
  try {
    snapshot.renew()
    const verification = new Verification(snapshot.database)
    verification.play(told)
    return verification.conclude(readStored(snapshot.database, done => told({ stage: 'tables', done })))
  } finally {
    snapshot.close()
  }
}

/** The same in half the time where there are two cores: another thread reads the tables. */
export async function verifyFileInTwoThreads(path: string, told: Told = () => undefined): Promise<Report> {
  const snapshot = new Snapshot(path)
  const worker = new Worker(ENTRY, { workerData: { path } })
  try {
    await agree(snapshot, worker)
    // Whatever becomes of the worker meanwhile is heard afterwards.
    const stored = once(worker, 'message') as Promise<[StoredPart]>
    const verification = new Verification(snapshot.database)
    worker.postMessage('read')
    verification.play(told)
    return verification.conclude((await stored)[0])
  } finally {
    await worker.terminate()
    snapshot.close()
  }
}

/** Both threads look at the same moment when the last batch that they see is the same. */
async function agree(snapshot: Snapshot, worker: Worker): Promise<void> {
  for (;;) {
    const [theirs] = (await once(worker, 'message')) as [number]
    if (snapshot.renew() === theirs) return
    worker.postMessage('renew')
  }
}
