import { WriteLock } from '../store/write-lock.js'
import { Balances } from './balances.js'
import type { ShardPlace, SharedState } from './batch-runner.js'
import { openRunner } from './batch-runner.js'
import type { BatchExecutor } from './shard.js'

/** Opens a shard in the caller's thread: the same code without a worker, for tests and simulations. */
export function openInlineExecutor(
  file: string,
  place: ShardPlace,
  shared: SharedState = { writeLock: new WriteLock(), balances: new Balances() },
): BatchExecutor {
  const { runner, close } = openRunner(file, shared, place)
  return {
    execute: async (at, commands) => runner.run(at, commands),
    truncateLog: async () => runner.truncateLog(),
    stateHash: async () => runner.stateHash(),
    close: async () => close(),
  }
}
