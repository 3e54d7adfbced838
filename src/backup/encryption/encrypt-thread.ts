import { Worker } from 'node:worker_threads'
import type { Recipient } from './age-keys.js'
import type { EncryptedFile } from './encrypted-file.js'

const ENTRY = new URL('./encrypt-worker.js', import.meta.url)

/** A file, the name of the encrypted one, and the keys that will open it. */
export interface EncryptTask {
  readonly source: string
  readonly target: string
  readonly recipients: readonly Recipient[]
}

/** The last message of the thread: the file that it made, or the reason why it failed. */
export type EncryptAnswer = { readonly made: EncryptedFile } | { readonly failed: string }

/**
 * Encrypts a file into another in a thread of its own: it takes a second of processor time for each 100 MB.
 */
export function encryptInThread(task: EncryptTask): Promise<EncryptedFile> {
  const worker = new Worker(ENTRY, { workerData: task })
  return new Promise((resolve, reject) => {
    worker.on('message', (answer: EncryptAnswer) => {
      if ('made' in answer) resolve(answer.made)
      else reject(new Error(answer.failed))
    })
    worker.on('error', reject)
    worker.on('exit', code => reject(new Error(`the thread that encrypts ended with code ${code}`)))
  })
}
