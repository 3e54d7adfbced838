import type { MessagePort } from 'node:worker_threads'
import { workerData } from 'node:worker_threads'
import type { TimeMs } from '../core/units.js'
import { WriteLock } from '../store/write-lock.js'
import { Balances } from './balances.js'
import type { OpenRunner, ShardPlace } from './batch-runner.js'
import { openRunner } from './batch-runner.js'
import { ResultWriter } from './flat-result.js'
import { plainError } from './plain-error.js'

/** The data that a worker starts with. */
export interface ShardWorkerData {
  readonly file: string
  readonly place: ShardPlace
  readonly lockMemory: SharedArrayBuffer
  readonly balancesMemory: SharedArrayBuffer
}

/**
 * A task for a shard's worker. `open` comes first, so that a failed start rejects a task; batches come
 * through its port.
 */
export type ShardTask =
  | { readonly kind: 'open'; readonly port: MessagePort }
  | { readonly kind: 'truncate' }
  | { readonly kind: 'hash' }
  | { readonly kind: 'close' }

/** A batch: its time, and its commands as the journal stores them. Answered by a `FlatResult` or an error. */
export interface BatchMessage {
  readonly at: TimeMs
  readonly commands: string
}

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
    case 'open': {
      const balances = new Balances(balancesMemory)
      shard = openRunner(file, { writeLock: new WriteLock(lockMemory), balances }, place)
      answerBatches(shard, task.port)
      return undefined
    }
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

function answerBatches({ runner }: OpenRunner, port: MessagePort): void {
  const writer = new ResultWriter()
  port.on('message', ({ at, commands }: BatchMessage) => {
    try {
      const result = writer.write(runner.run(at, commands))
      port.postMessage(result, [result.cells.buffer])
    } catch (error) {
      port.postMessage(plainError(error))
    }
  })
}
