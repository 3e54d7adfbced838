import { openDatabase } from '../store/database.js'
import { WriteLock } from '../store/write-lock.js'
import type { ShardPlace } from './batch-runner.js'
import { BatchRunner } from './batch-runner.js'
import type { BatchExecutor } from './shard.js'

/** A shard in the caller's own thread: for tests and simulations, the same code without the thread border. */
export function openInlineExecutor(file: string, place: ShardPlace, turn = new WriteLock()): BatchExecutor {
  const database = openDatabase(file)
  const runner = new BatchRunner(database, turn, place)
  return {
    execute: async (at, commands) => runner.run(at, commands),
    stateHash: async () => runner.stateHash(),
    close: async () => {
      database.close()
    },
  }
}
