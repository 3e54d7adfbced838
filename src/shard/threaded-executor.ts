import type { ShardPlace, SharedState } from './batch-runner.js'
import type { BatchExecutor } from './shard.js'
import type { ShardTask, ShardWorkerData } from './shard-worker.js'
import { WorkerThread } from './worker-thread.js'

const ENTRY = new URL('./shard-worker.js', import.meta.url)

/** Starts a shard in its own worker thread; resolves when its books are rebuilt. Calls `died` if it exits. */
export async function openThreadedExecutor(
  file: string,
  place: ShardPlace,
  { writeLock, balances }: SharedState,
  died: (error: Error) => void,
): Promise<BatchExecutor> {
  const workerData: ShardWorkerData = {
    file,
    place,
    lockMemory: writeLock.memory,
    balancesMemory: balances.memory,
  }
  const thread = new WorkerThread<ShardTask, unknown>(`shard ${place.index}`, ENTRY, workerData, died)
  await thread.run({ kind: 'open' })
  return {
    execute: (at, commands) => thread.run({ kind: 'batch', at, commands }) as Promise<string>,
    truncateLog: () => thread.run({ kind: 'truncate' }) as Promise<void>,
    stateHash: () => thread.run({ kind: 'hash' }) as Promise<string>,
    close: async () => {
      await thread.run({ kind: 'close' })
      await thread.close()
    },
  }
}
