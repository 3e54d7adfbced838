import type { Sequence } from '../../core/units.js'
import { WorkerThread } from '../../shard/worker-thread.js'
import { openReadOnly } from '../../store/database.js'
import { copyFrom } from '../../store/files/backup-file.js'
import type { About, Answer, Question } from './history-reader.js'
import { answer, HistoryReader } from './history-reader.js'
import type { HistoryTask } from './history-worker.js'
import type { ReadBusy, ReadLoad } from './read-lane.js'
import type { LaneName, Unread } from './read-lanes.js'
import { isNeverRefused, ReadLanes } from './read-lanes.js'

const ENTRY = new URL('./history-worker.js', import.meta.url)

/** Reads history from disk, off the main thread and without blocking writers. */
export interface History {
  /** Runs a query; resolves to a refusal if it was not read, rejects if the reader fails. */
  ask<Q extends Question>(question: Q, ...about: About<Q>): Promise<Answer<Q> | Unread<Q>>
  /**
   * Returns whether a read that anyone may ask for would find no room behind this many others; counts it as
   * refused if so.
   */
  turnsPageAway(ahead: number): boolean
  /** Refuses queries that have waited too long; to be called about every second. */
  refuseLate(): void
  loads(): Readonly<Record<LaneName, ReadLoad>>
  /**
   * Copies the database to a new file, even if the exchange's file was deleted; resolves to the last batch in
   * it. Runs ahead of all waiting queries.
   */
  rescueTo(target: string): Promise<Sequence>
  close(): Promise<void>
}

/**
 * Lets reads wait until the tables include every batch that memory includes: a read sees what was answered.
 */
export interface TablesWait {
  /** Resolves to a refusal if too many wait, or if it takes too long. */
  caughtUp(): Promise<ReadBusy | undefined>
  /** Waits as long as it takes. */
  caughtUpEventually(): Promise<void>
}

/** Waits for the tables, then runs a query in its lane. */
async function askLater<Q extends Question>(
  { tables, lanes }: { readonly tables: TablesWait; readonly lanes: ReadLanes },
  question: Q,
  about: About<Q>,
  read: () => Promise<Answer<Q>>,
): Promise<Answer<Q> | Unread<Q>> {
  if (isNeverRefused(question)) await tables.caughtUpEventually()
  else {
    const refusal = await tables.caughtUp()
    if (refusal !== undefined) return refusal as Unread<Q>
  }
  return lanes.run(question, about, read)
}

/**
 * Opens a reader in its own worker thread; resolves when it is ready: a thread terminated while it loads the
 * native SQLite module would crash the whole process.
 */
export async function openThreadedHistory(
  file: string,
  tables: TablesWait,
  watch: () => number,
  died: (error: Error) => void,
): Promise<History> {
  const thread = new WorkerThread<HistoryTask, unknown>('history', ENTRY, { workerData: { file }, died })
  await thread.open({ kind: 'open' })
  const lanes = new ReadLanes(watch)
  return {
    ask: <Q extends Question>(question: Q, ...about: About<Q>) =>
      askLater(
        { tables, lanes },
        question,
        about,
        () => thread.run({ kind: 'ask', question, about }) as Promise<Answer<Q>>,
      ),
    turnsPageAway: ahead => lanes.turnsPageAway(ahead),
    refuseLate: () => lanes.refuseLate(),
    loads: () => lanes.loads(),
    rescueTo: target => thread.run({ kind: 'rescue', target }) as Promise<Sequence>,
    close: async () => {
      lanes.close()
      await thread.run({ kind: 'close' })
      await thread.close()
    },
  }
}

/** Opens a reader in the caller's thread, for tests and simulations. */
export function openInlineHistory(file: string, tables: TablesWait, watch: () => number): History {
  const database = openReadOnly(file)
  const reader = new HistoryReader(database)
  const lanes = new ReadLanes(watch)
  return {
    ask: (question, ...about) =>
      askLater({ tables, lanes }, question, about, async () => answer(reader, question, about)),
    turnsPageAway: ahead => lanes.turnsPageAway(ahead),
    refuseLate: () => lanes.refuseLate(),
    loads: () => lanes.loads(),
    rescueTo: async target => copyFrom(database, target).sequence,
    close: async () => {
      lanes.close()
      database.close()
    },
  }
}
