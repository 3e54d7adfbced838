import { openDatabase } from '../store/database.js'
import { journalPath } from '../store/files/journal-path.js'
import { WriteLock } from '../store/write-lock.js'
import type { ShardPlace } from './batch-runner.js'
import { openRunner } from './batch-runner.js'
import type { BatchExecutor } from './shard.js'

/** Opens a shard in the caller's thread: the same code without a worker, for tests and simulations. */
export function openInlineExecutor(file: string, place: ShardPlace, lock = new WriteLock()): BatchExecutor {
  const database = openDatabase(journalPath(file))
  const runner = openRunner(database, file, lock, place)
  return {
    execute: async (at, commands) => runner.run(at, commands),
    truncateLog: async () => runner.truncateLog(),
    stateHash: async () => runner.stateHash(),
    close: async () => {
      database.close()
    },
  }
}
