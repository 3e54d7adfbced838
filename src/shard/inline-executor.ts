import { WriteLock } from '../store/write-lock.js'
import { Balances } from './balances.js'
import type { ShardPlace, SharedState, Tell } from './batch-runner.js'
import { openRunner } from './batch-runner.js'
import type { CommandGroup } from './command-group.js'
import { gatherBatch } from './command-group.js'
import { ResultWriter, readResult } from './flat-result.js'
import type { BatchExecutor, BatchListener } from './shard.js'

/** Opens a shard in the caller's thread: the same code without a worker, for tests and simulations. */
export function openInlineExecutor(
  file: string,
  place: ShardPlace,
  shared: SharedState = { writeLock: new WriteLock(), balances: new Balances() },
  tell?: Tell,
): BatchExecutor {
  const { runner, close } = openRunner(file, shared, place, tell)
  const writer = new ResultWriter()
  const waiting: CommandGroup[] = []
  let listener: BatchListener | undefined
  let isRunning = false
  const runAll = async () => {
    for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
      const { at, count, text } = gatherBatch(first, () => waiting.shift())
      try {
        const result = await runner.run(at, text)
        listener?.committed(count, readResult(writer.write(result)))
      } catch (error) {
        listener?.failed(error)
        return
      }
    }
    isRunning = false
  }
  return {
    listen: given => {
      listener = given
    },
    send: group => {
      waiting.push(group)
      if (isRunning) return
      isRunning = true
      // What is sent with it belongs to the same batch.
      queueMicrotask(() => void runAll())
    },
    follow: async rows => {
      const results = runner.follow(rows)
      return typeof results === 'string' ? results : results.map(result => readResult(writer.write(result)))
    },
    truncateLog: async () => runner.truncateLog(),
    stateHash: async () => runner.stateHash(),
    look: async question => runner.look(question),
    close: async () => close(),
  }
}
