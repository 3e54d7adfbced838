import type { MessagePort } from 'node:worker_threads'
import { Worker } from 'node:worker_threads'
import type { Report } from './checks.js'
import type { Progress } from './verification.js'

/** Asks for the last batch as of now, or, once, to play the journal and conclude with what a port brings. */
export type ToReplay = 'renew' | { readonly take: MessagePort }
/** The last batch as of now; or how far it is, and the report at the end. */
export type FromReplay = number | Progress | { readonly report: Report }

const ENTRY = new URL('./replay-worker.js', import.meta.url)
/** Twice V8's own: what a batch leaves behind is then collected in a tenth less processor time. */
const YOUNG_MB = 96

/** Starts the thread that plays the journal. */
export function startReplayThread(path: string): Worker {
  return new Worker(ENTRY, {
    workerData: { path },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })
}
