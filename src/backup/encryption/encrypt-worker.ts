import { parentPort, workerData } from 'node:worker_threads'
import { encryptFile } from './encrypt-file.js'
import type { EncryptAnswer, EncryptTask } from './encrypt-thread.js'

/** The entry point of the thread: encrypts the one file that it was started for. */
const tell = (answer: EncryptAnswer) => parentPort?.postMessage(answer)

encryptFile(workerData as EncryptTask).then(
  made => tell({ made }),
  (error: unknown) => tell({ failed: error instanceof Error ? error.message : String(error) }),
)
