import type { CopyFacts } from '../../backup/backup-copy.js'
import { WorkerThread } from '../../shard/worker-thread.js'
import type { BackupTask } from './backup-worker.js'

const ENTRY = new URL('./backup-worker.js', import.meta.url)
/** Some hundred gigabytes. */
const TIMEOUT_MS = 3_600_000

/** Copies a file in a short-lived worker thread. Rejects if the copy fails. */
export async function copyInThread(file: string, target: string): Promise<CopyFacts> {
  // If the thread dies, only the copy fails: the task is rejected.
  const thread = new WorkerThread<BackupTask, CopyFacts>('backup', ENTRY, {}, () => {})
  try {
    return await thread.run({ file, target }, { timeoutMs: TIMEOUT_MS })
  } finally {
    await thread.close()
  }
}
