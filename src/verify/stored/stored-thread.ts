import type { MessagePort } from 'node:worker_threads'
import { Worker } from 'node:worker_threads'

/** Asks for the last batch as of now, or, once, to send what the tables hold to a port. */
export type ToStored = 'renew' | { readonly give: MessagePort }

const ENTRY = new URL('./stored-worker.js', import.meta.url)

/** Starts the thread that reads the tables of a file; it tells its last batch at once. */
export const startStoredThread = (path: string) => new Worker(ENTRY, { workerData: { path } })
