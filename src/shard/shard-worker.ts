import { workerData } from 'node:worker_threads'
import type { TimeMs } from '../core/units.js'
import { openDatabase } from '../store/database.js'
import { journalPath } from '../store/files/journal-path.js'
import { WriteLock } from '../store/write-lock.js'
import type { BatchRunner, ShardPlace } from './batch-runner.js'
import { openRunner } from './batch-runner.js'
import { plainError } from './plain-error.js'

/** The data that a worker starts with. */
export interface ShardWorkerData {
  readonly file: string
  readonly place: ShardPlace
  readonly lockMemory: SharedArrayBuffer
}

/**
 * A task for a shard's worker. `open` comes first, so that a failed start rejects a task.
 */
export type ShardTask =
  | { readonly kind: 'open' }
  | { readonly kind: 'batch'; readonly at: TimeMs; readonly commands: string }
  | { readonly kind: 'truncate' }
  | { readonly kind: 'hash' }
  | { readonly kind: 'close' }

const { file, place, lockMemory } = workerData as ShardWorkerData
let database: ReturnType<typeof openDatabase> | undefined
let runner: BatchRunner | undefined

/** The entry point that Piscina calls, one task at a time. */
export default function work(task: ShardTask): string | undefined {
  try {
    return answer(task)
  } catch (error) {
    throw plainError(error)
  }
}

function answer(task: ShardTask): string | undefined {
  switch (task.kind) {
    case 'open':
      database = openDatabase(journalPath(file))
      runner = openRunner(database, file, new WriteLock(lockMemory), place)
      return undefined
    case 'batch':
      return runner?.run(task.at, task.commands)
    case 'truncate':
      runner?.truncateLog()
      return undefined
    case 'hash':
      return runner?.stateHash()
    case 'close':
      database?.close()
      return undefined
  }
}
