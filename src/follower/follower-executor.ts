import type { Sequence } from '../core/units.js'
import { WorkerThread } from '../shard/worker-thread.js'
import { openServed } from '../store/database.js'
import { Follower } from './follower.js'
import type { FollowerTask, FollowerWorkerData } from './follower-worker.js'

const ENTRY = new URL('./follower-worker.js', import.meta.url)

/** A follower, in its own thread or in the caller's. */
export interface FollowerExecutor {
  /** Writes the next rows, up to a batch at most; resolves to the batch that the tables have reached. */
  follow(upTo: Sequence): Promise<Sequence>
  /** Empties the write-ahead log of the tables, unless a reader is using it. */
  truncateLog(): Promise<void>
  close(): Promise<void>
}

/** Starts a follower in its own thread. Calls `died` if the thread exits. */
export async function openThreadedFollower(
  file: string,
  died: (error: Error) => void,
): Promise<FollowerExecutor> {
  const workerData: FollowerWorkerData = { file }
  const thread = new WorkerThread<FollowerTask, unknown>('follower', ENTRY, workerData, died)
  await thread.open({ kind: 'open' })
  return {
    follow: upTo => thread.run({ kind: 'follow', upTo }) as Promise<Sequence>,
    truncateLog: () => thread.run({ kind: 'truncate' }) as Promise<void>,
    close: async () => {
      await thread.run({ kind: 'close' })
      await thread.close()
    },
  }
}

/** Opens a follower in the caller's thread, for tests and simulations. */
export function openInlineFollower(file: string): FollowerExecutor {
  const database = openServed(file)
  const follower = new Follower(database)
  return {
    follow: async upTo => follower.follow(upTo),
    truncateLog: async () => follower.truncateLog(),
    close: async () => {
      database.close()
    },
  }
}
