import type { MessagePort } from 'node:worker_threads'
import { receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { BookAnswer, BookQuestion } from '../engine/book-questions.js'
import type { JournalRow } from '../store/journal.js'
import { WriteLock } from '../store/write-lock.js'
import { Balances } from './balances.js'
import type { OpenRunner, ShardPlace } from './batch-runner.js'
import { openRunner } from './batch-runner.js'
import type { CommandGroup } from './command-group.js'
import { gatherBatch } from './command-group.js'
import type { FlatResult } from './flat-result.js'
import { ResultWriter } from './flat-result.js'
import { plainError } from './plain-error.js'

/** The data that a worker starts with. */
export interface ShardWorkerData {
  readonly file: string
  readonly place: ShardPlace
  readonly lockMemory: SharedArrayBuffer
  readonly balancesMemory: SharedArrayBuffer
}

/** The shard's ends of the channels to the follower, and to the thread of another log if there is one. */
export interface ShardPorts {
  readonly told: MessagePort
  readonly rows?: MessagePort
}

/**
 * A task for a shard's worker. `open` comes first, so that a failed start rejects a task; batches come
 * through its port.
 */
export type ShardTask =
  | { readonly kind: 'open'; readonly port: MessagePort; readonly ports: ShardPorts }
  | { readonly kind: 'truncate' }
  | { readonly kind: 'hash' }
  | { readonly kind: 'follow'; readonly rows: readonly JournalRow[] }
  | { readonly kind: 'look'; readonly question: BookQuestion }
  | { readonly kind: 'close' }

/** A result as the worker sends it: with the number of the commands in its batch. */
export interface BatchAnswer {
  readonly commandsCount: number
  readonly flat: FlatResult
}

const { file, place, lockMemory, balancesMemory } = workerData as ShardWorkerData
let shard: OpenRunner | undefined
const followed = new ResultWriter()

/** The entry point that Piscina calls, one task at a time. */
export default function work(task: ShardTask): string | readonly FlatResult[] | BookAnswer | undefined {
  try {
    return answer(task)
  } catch (error) {
    throw plainError(error)
  }
}

function answer(task: ShardTask): string | readonly FlatResult[] | BookAnswer | undefined {
  switch (task.kind) {
    case 'open': {
      const balances = new Balances(balancesMemory)
      const { told, rows } = task.ports
      const decided = rows === undefined ? undefined : (row: JournalRow) => rows.postMessage(row)
      const shared = { writeLock: new WriteLock(lockMemory), balances, decided }
      shard = openRunner(file, shared, place, flat => told.postMessage(flat, [flat.cells.buffer]))
      answerBatches(shard, task.port)
      return undefined
    }
    case 'truncate':
      shard?.runner.truncateLog()
      return undefined
    case 'look':
      return shard?.runner.look(task.question)
    case 'follow':
      return follow(task.rows)
    case 'hash':
      return shard?.runner.stateHash()
    case 'close':
      shard?.close()
      return undefined
  }
}

/** Commits rows of another exchange. Buffers cross threads as plain arrays. */
function follow(rows: readonly JournalRow[]): readonly FlatResult[] | string | undefined {
  const results = shard?.runner.follow(rows.map(row => ({ ...row, hash: Buffer.from(row.hash) })))
  return typeof results === 'object' ? results.map(result => followed.write(result)) : results
}

/** Commits whatever waits in the port as one batch, again and again; nothing after a failure. */
function answerBatches({ runner }: OpenRunner, port: MessagePort): void {
  const writer = new ResultWriter()
  let hasFailed = false
  const next = () => receiveMessageOnPort(port)?.message as CommandGroup | undefined
  port.on('message', (first: CommandGroup) => {
    if (hasFailed) return
    try {
      const { at, count, text } = gatherBatch(first, next)
      const flat = writer.write(runner.run(at, text))
      port.postMessage({ commandsCount: count, flat } satisfies BatchAnswer, [flat.cells.buffer])
    } catch (error) {
      hasFailed = true
      port.postMessage(plainError(error))
    }
  })
}
