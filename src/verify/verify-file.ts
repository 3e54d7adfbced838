import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { MessageChannel } from 'node:worker_threads'
import type { Report } from './checks.js'
import type { FromReplay, ToReplay } from './replay-thread.js'
import { startReplayThread } from './replay-thread.js'
import { Snapshot } from './snapshot.js'
import { readStored } from './stored/stored-part.js'
import type { ToStored } from './stored/stored-thread.js'
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
    const verification = new Verification(snapshot.database)
    verification.play(told)
    return verification.conclude(readStored(snapshot.database, done => told({ stage: 'tables', done })))
  } finally {
    snapshot.close()
  }
}

/** Does the same in half the time given two cores: one thread plays the journal, another reads the tables. */
export async function verifyFileInTwoThreads(path: string, told: Told = () => undefined): Promise<Report> {
  const threads = { replay: startReplayThread(path), stored: startStoredThread(path) }
  const all = Object.values(threads)
  const failed = new Promise<never>((_, reject) => {
    for (const thread of all) thread.once('error', reject)
  })
  try {
    const isSame = await Promise.race([agree(threads), failed])
    if (isSame) return await Promise.race([reportOf(threads, told), failed])
  } finally {
    await Promise.all(all.map(thread => thread.terminate()))
  }
  return verifyFile(path, told)
}

interface Threads {
  readonly replay: Worker
  readonly stored: Worker
}

/**
 * Returns whether both threads see the same moment: they do if the last batch is the same for both, because
 * every write belongs to a batch.
 */
async function agree({ replay, stored }: Threads): Promise<boolean> {
  for (let attempt = 0; attempt < AGREE_MAX; attempt++) {
    const [theirs] = await once(stored, 'message')
    replay.postMessage('renew')
    const [ours] = await once(replay, 'message')
    if (ours === theirs) return true
    stored.postMessage('renew')
  }
  return false
}

function reportOf({ replay, stored }: Threads, told: Told): Promise<Report> {
  const { port1: give, port2: take } = new MessageChannel()
  stored.postMessage({ give } satisfies ToStored, [give])
  replay.postMessage({ take } satisfies ToReplay, [take])
  return new Promise(resolve => {
    replay.on('message', (message: Exclude<FromReplay, number>) => {
      if ('report' in message) resolve(message.report)
      else told(message)
    })
  })
}
