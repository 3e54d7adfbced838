import type { MessagePort } from 'node:worker_threads'
import { MessageChannel } from 'node:worker_threads'
import type { ShardPlace, SharedState } from './batch-runner.js'
import type { FlatResult } from './flat-result.js'
import { readResult } from './flat-result.js'
import { LateTask } from './late-task.js'
import type { BatchExecutor } from './shard.js'
import type { BatchMessage, ShardTask, ShardWorkerData } from './shard-worker.js'
import { TASK_TIMEOUT_MS, WorkerThread } from './worker-thread.js'

const ENTRY = new URL('./shard-worker.js', import.meta.url)

/** Starts a shard in its own worker thread; resolves when its books are rebuilt. Calls `died` if it exits. */
export async function openThreadedExecutor(
  file: string,
  place: ShardPlace,
  { writeLock, balances }: SharedState,
  died: (error: Error) => void,
): Promise<BatchExecutor> {
  const name = `shard ${place.index}`
  const workerData: ShardWorkerData = {
    file,
    place,
    lockMemory: writeLock.memory,
    balancesMemory: balances.memory,
  }
  const thread = new WorkerThread<ShardTask, unknown>(name, ENTRY, workerData, died)
  const { port1: port, port2: workerPort } = new MessageChannel()
  try {
    await thread.run({ kind: 'open', port: workerPort }, { transferList: [workerPort] })
  } catch (error) {
    port.close()
    throw error
  }
  return {
    execute: async (at, commands) => readResult(await exchangeBatch(name, port, { at, commands })),
    truncateLog: () => thread.run({ kind: 'truncate' }) as Promise<void>,
    stateHash: () => thread.run({ kind: 'hash' }) as Promise<string>,
    close: async () => {
      await thread.run({ kind: 'close' })
      port.close()
      await thread.close()
    },
  }
}

/**
 * Sends a batch straight to the worker: the pool's own way costs as much as the deciding. Rejects when the
 * worker throws, or does not answer in time.
 */
function exchangeBatch(name: string, port: MessagePort, batch: BatchMessage): Promise<FlatResult> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new LateTask(name, TASK_TIMEOUT_MS)), TASK_TIMEOUT_MS)
    port.once('message', (answer: FlatResult | Error) => {
      clearTimeout(timer)
      if (answer instanceof Error) reject(answer)
      else resolve(answer)
    })
    port.postMessage(batch)
  })
}
