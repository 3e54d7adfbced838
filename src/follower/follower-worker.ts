import type { MessagePort } from 'node:worker_threads'
import { receiveMessageOnPort, workerData } from 'node:worker_threads'
import { assert } from '../core/assert.js'
import type { Sequence } from '../core/units.js'
import type { FlatBatch } from '../shard/flat-batch.js'
import { plainError } from '../shard/plain-error.js'
import { openServed } from '../store/database.js'
import type { FollowerMode } from './batch-source.js'
import { sourceOf } from './batch-source.js'
import type { Followed } from './follower.js'
import { Follower } from './follower.js'

/** The data that the thread starts with. */
export interface FollowerWorkerData {
  readonly file: string
  readonly mode: FollowerMode
}

/** A task for the follower's thread. `open` comes first, so that a failed start rejects a task. */
export type FollowerTask =
  | { readonly kind: 'open'; readonly ports: readonly MessagePort[] }
  | { readonly kind: 'follow'; readonly upTo: Sequence; readonly writes: boolean }
  | { readonly kind: 'truncate' }
  | { readonly kind: 'close' }

const { file, mode } = workerData as FollowerWorkerData
let database: ReturnType<typeof openServed> | undefined
let follower: Follower | undefined

/** The entry point that Piscina calls, one task at a time. */
export default function work(task: FollowerTask): Followed | undefined {
  try {
    return perform(task)
  } catch (error) {
    throw plainError(error)
  }
}

/** Returns the next batch of any shard. */
function nextIn(ports: readonly MessagePort[]): FlatBatch | undefined {
  for (const port of ports) {
    const received = receiveMessageOnPort(port)
    if (received !== undefined) return received.message as FlatBatch
  }
  return undefined
}

function perform(task: FollowerTask): Followed | undefined {
  if (task.kind === 'open') {
    database = openServed(file)
    follower = new Follower(
      database,
      sourceOf(mode, database, () => nextIn(task.ports)),
    )
    return undefined
  }
  assert(follower !== undefined, 'a follower is opened first')
  if (task.kind === 'follow') return follower.follow(task.upTo, task.writes)
  if (task.kind === 'truncate') follower.truncateLog()
  else database?.close()
  return undefined
}
