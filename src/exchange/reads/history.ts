import type { Sequence } from '../../core/units.js'
import { WorkerThread } from '../../shard/worker-thread.js'
import { openReadOnly } from '../../store/database.js'
import { copyFrom } from '../../store/files/backup-file.js'
import type { About, Answer, Question } from './history-reader.js'
import { answer, HistoryReader } from './history-reader.js'
import type { HistoryTask } from './history-worker.js'
import type { ReadLoad } from './read-lane.js'
import type { LaneName, Unread } from './read-lanes.js'
import { ReadLanes } from './read-lanes.js'

const ENTRY = new URL('./history-worker.js', import.meta.url)

/** What is no longer in memory, read from disk: never by the main thread, never in a writer's way. */
export interface History {
  /** Answers the question, or why it was not read; rejects where the reader is broken. */
  ask<Q extends Question>(question: Q, ...about: About<Q>): Promise<Answer<Q> | Unread<Q>>
  /** Returns whether a read that anybody may ask for would find no room; counts it as refused if so. */
  turnsPageAway(): boolean
  /** Refuses the questions that have waited for too long. To be called every second or so. */
  refuseLate(): void
  loads(): Readonly<Record<LaneName, ReadLoad>>
  /**
   * Copies everything on disk to a new file, also where the exchange's file has lost its name; returns the
   * last batch in it. Waits for no lane: it comes before what waits there.
   */
  rescueTo(target: string): Promise<Sequence>
  close(): Promise<void>
}

/**
 * A reader in a worker thread of its own. Answers when it is ready: a thread that is ended while it still
 * loads the database's binding takes the whole process down with it.
 */
export async function openThreadedHistory(
  file: string,
  watch: () => number,
  died: (error: Error) => void,
): Promise<History> {
  const thread = new WorkerThread<HistoryTask, unknown>('history', ENTRY, { file }, died)
  await thread.run({ kind: 'open' })
  const lanes = new ReadLanes(watch)
  return {
    ask: <Q extends Question>(question: Q, ...about: About<Q>) =>
      lanes.run(question, () => thread.run({ kind: 'ask', question, about }) as Promise<Answer<Q>>),
    turnsPageAway: () => lanes.turnsPageAway(),
    refuseLate: () => lanes.refuseLate(),
    loads: () => lanes.loads(),
    rescueTo: target => thread.run({ kind: 'rescue', target }) as Promise<Sequence>,
    close: async () => {
      await thread.run({ kind: 'close' })
      await thread.close()
    },
  }
}

/** The same in the caller's thread, for tests and simulations. */
export function openInlineHistory(file: string, watch: () => number): History {
  const database = openReadOnly(file)
  const reader = new HistoryReader(database)
  const lanes = new ReadLanes(watch)
  return {
    ask: (question, ...about) => lanes.run(question, async () => answer(reader, question, about)),
    turnsPageAway: () => lanes.turnsPageAway(),
    refuseLate: () => lanes.refuseLate(),
    loads: () => lanes.loads(),
    rescueTo: async target => copyFrom(database, target).sequence,
    close: async () => {
      database.close()
    },
  }
}
