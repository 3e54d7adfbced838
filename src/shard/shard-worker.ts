import { workerData } from 'node:worker_threads'
import type { TimeMs } from '../core/units.js'
import { WriteLock } from '../store/write-lock.js'
import { Balances } from './balances.js'
import type { OpenRunner, ShardPlace } from './batch-runner.js'
import { openRunner } from './batch-runner.js'
import { plainError } from './plain-error.js'

/** The data that a worker starts with. */
export interface ShardWorkerData {
  readonly file: string
  readonly place: ShardPlace
  readonly lockMemory: SharedArrayBuffer
  readonly balancesMemory: SharedArrayBuffer
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

const { file, place, lockMemory, balancesMemory } = workerData as ShardWorkerData
let shard: OpenRunner | undefined

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
      shard = openRunner(
        file,
        { writeLock: new WriteLock(lockMemory), balances: new Balances(balancesMemory) },
        place,
      )
      return undefined
    case 'batch':
      return shard?.runner.run(task.at, task.commands)
    case 'truncate':
      shard?.runner.truncateLog()
      return undefined
    case 'hash':
      return shard?.runner.stateHash()
    case 'close':
      shard?.close()
      return undefined
  }
}
