import type { MessagePort } from 'node:worker_threads'
import type { Sequence } from '../core/units.js'
import type { Telling } from '../shard/telling.js'
import { WorkerThread } from '../shard/worker-thread.js'
import { openServed } from '../store/database.js'
import type { FollowerMode } from './batch-source.js'
import { sourceOf } from './batch-source.js'
import type { Followed } from './follower.js'
import { Follower } from './follower.js'
import type { FollowerTask, FollowerWorkerData } from './follower-worker.js'

const ENTRY = new URL('./follower-worker.js', import.meta.url)

/** A follower, in its own thread or in the caller's. */
export interface FollowerExecutor {
  /** Takes the next batches, up to one of them at most; `writes` asks for the rows of all that were taken. */
  follow(upTo: Sequence, writes: boolean): Promise<Followed>
  /** Empties the write-ahead log of the tables, unless a reader is using it. */
  truncateLog(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts a follower in its own thread. Calls `died` if the thread exits.
 *
 * @param ports the channels by which the shards tell it their batches
 */
export async function openThreadedFollower(
  file: string,
  mode: FollowerMode,
  ports: readonly MessagePort[],
  died: (error: Error) => void,
): Promise<FollowerExecutor> {
  const workerData: FollowerWorkerData = { file, mode }
  const thread = new WorkerThread<FollowerTask, unknown>('follower', ENTRY, { workerData, died })
  await thread.open({ kind: 'open', ports }, { transferList: [...ports] })
  return {
    follow: (upTo, writes) => thread.run({ kind: 'follow', upTo, writes }) as Promise<Followed>,
    truncateLog: () => thread.run({ kind: 'truncate' }) as Promise<void>,
    close: async () => {
      await thread.run({ kind: 'close' })
      await thread.close()
    },
  }
}

/** Opens a follower in the caller's thread, for tests and simulations. */
export function openInlineFollower(file: string, mode: FollowerMode, { next }: Telling): FollowerExecutor {
  const database = openServed(file)
  const follower = new Follower(database, sourceOf(mode, database, next))
  return {
    follow: async (upTo, writes) => follower.follow(upTo, writes),
    truncateLog: async () => follower.truncateLog(),
    close: async () => {
      database.close()
    },
  }
}
