import { WriteLock } from '../store/write-lock.js'
import { Balances } from './balances.js'
import type { ShardPlace, SharedState } from './batch-runner.js'
import { openRunner } from './batch-runner.js'
import { ResultWriter, readResult } from './flat-result.js'
import type { BatchExecutor } from './shard.js'

/** Opens a shard in the caller's thread: the same code without a worker, for tests and simulations. */
export function openInlineExecutor(
  file: string,
  place: ShardPlace,
  shared: SharedState = { writeLock: new WriteLock(), balances: new Balances() },
): BatchExecutor {
  const { runner, close } = openRunner(file, shared, place)
  const writer = new ResultWriter()
  return {
    execute: async (at, commands) => readResult(writer.write(await runner.run(at, commands))),
    truncateLog: async () => runner.truncateLog(),
    stateHash: async () => runner.stateHash(),
    close: async () => close(),
  }
}
