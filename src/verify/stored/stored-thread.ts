import { Worker } from 'node:worker_threads'

const ENTRY = new URL('./stored-worker.js', import.meta.url)

/** Starts the thread that reads the tables of a file. */
export const startStoredThread = (path: string) => new Worker(ENTRY, { workerData: { path } })
