import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import type { Report } from './checks.js'
import { Snapshot } from './snapshot.js'
import type { StoredPart } from './stored/stored-part.js'
import { readStored } from './stored/stored-part.js'
import { startStoredThread } from './stored/stored-thread.js'
import type { Progress } from './verification.js'
import { Verification } from './verification.js'

type Told = (progress: Progress) => void

/** Attempts of two threads to see the same moment of a file that is being written. */
const AGREE_MAX = 100

/** Verifies a data file as of now, in this thread. Throws VerifyError if there is none. */
export function verifyFile(path: string, told: Told = () => undefined): Report {
  const snapshot = new Snapshot(path)
  try {
    snapshot.renew()
    return verifyHere(snapshot, told)
  } finally {
    snapshot.close()
  }
}

/** Does the same in half the time given two cores: another thread reads the tables. */
export async function verifyFileInTwoThreads(path: string, told: Told = () => undefined): Promise<Report> {
  const snapshot = new Snapshot(path)
  const worker = startStoredThread(path)
  try {
    if (!(await agree(snapshot, worker))) return verifyHere(snapshot, told)
    // This thread receives messages only after playing the journal, which it does in one go.
    const stored = once(worker, 'message') as Promise<[StoredPart]>
    worker.postMessage('read')
    const verification = new Verification(snapshot.database)
    verification.play(told)
    return verification.conclude((await stored)[0])
  } finally {
    await worker.terminate()
    snapshot.close()
  }
}

function verifyHere({ database }: Snapshot, told: Told): Report {
  const verification = new Verification(database)
  verification.play(told)
  return verification.conclude(readStored(database, done => told({ stage: 'tables', done })))
}

/**
 * Returns whether both threads see the same moment: they do if the last batch is the same for both, because
 * every write belongs to a batch.
 */
async function agree(snapshot: Snapshot, worker: Worker): Promise<boolean> {
  for (let attempt = 0; attempt < AGREE_MAX; attempt++) {
    const [theirs] = (await once(worker, 'message')) as [number]
    if (snapshot.renew() === theirs) return true
    worker.postMessage('renew')
  }
  return false
}
