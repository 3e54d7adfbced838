import { workerData } from 'node:worker_threads'
import { plainError } from '../../shard/plain-error.js'
import { openReadOnly } from '../../store/database.js'
import { copyFrom } from '../../store/files/backup-file.js'
import type { About, Question } from './history-reader.js'
import { answer, HistoryReader } from './history-reader.js'

/**
 * A task for the history thread. `open` comes first, so that a failed start rejects a task; `close` comes
 * last, so that the thread never ends in the middle of a task.
 */
export type HistoryTask =
  | { readonly kind: 'open' }
  | { readonly kind: 'ask'; readonly question: Question; readonly about: readonly unknown[] }
  | { readonly kind: 'rescue'; readonly target: string }
  | { readonly kind: 'close' }

const { file } = workerData as { readonly file: string }
let database: ReturnType<typeof openReadOnly> | undefined
let reader: HistoryReader | undefined

/** The entry point that Piscina calls, one task at a time. */
export default function work(task: HistoryTask): unknown {
  try {
    return perform(task)
  } catch (error) {
    throw plainError(error)
  }
}

function perform(task: HistoryTask): unknown {
  switch (task.kind) {
    case 'open':
      database = openReadOnly(file)
      reader = new HistoryReader(database)
      return undefined
    case 'ask':
      return reader && answer(reader, task.question, task.about as About<Question>)
    case 'rescue':
      return database && copyFrom(database, task.target).sequence
    case 'close':
      database?.close()
      return undefined
  }
}
