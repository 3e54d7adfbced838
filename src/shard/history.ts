import { openReadOnly } from '../store/database.js'
import type { About, Answer, Question } from './history-reader.js'
import { answer, HistoryReader } from './history-reader.js'
import type { HistoryTask } from './history-worker.js'
import { WorkerThread } from './worker-thread.js'

const ENTRY = new URL('./history-worker.js', import.meta.url)

/** What is no longer in memory, read from disk: never by the main thread, never in a writer's way. */
export interface History {
  ask<Q extends Question>(question: Q, ...about: About<Q>): Promise<Answer<Q>>
  close(): Promise<void>
}

/**
 * A reader in a worker thread of its own. Answers when it is ready: a thread that is ended while it still
 * loads the database's binding takes the whole process down with it.
 */
export async function openThreadedHistory(file: string, died: (error: Error) => void): Promise<History> {
  const thread = new WorkerThread<HistoryTask, unknown>('history', ENTRY, { file }, died)
  await thread.run({ kind: 'open' })
  return {
    ask: <Q extends Question>(question: Q, ...about: About<Q>) =>
      thread.run({ kind: 'ask', question, about }) as Promise<Answer<Q>>,
    close: async () => {
      await thread.run({ kind: 'close' })
      await thread.close()
    },
  }
}

/** The same in the caller's thread, for tests and simulations. */
export function openInlineHistory(file: string): History {
  const database = openReadOnly(file)
  const reader = new HistoryReader(database)
  return {
    ask: async (question, ...about) => answer(reader, question, about),
    close: async () => {
      database.close()
    },
  }
}
