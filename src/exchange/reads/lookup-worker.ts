import { workerData } from 'node:worker_threads'
import { plainError } from '../../shard/plain-error.js'
import { openReadOnly } from '../../store/database.js'
import type { Lookup } from './lookup-reader.js'
import { LookupReader } from './lookup-reader.js'

/**
 * A task for the look-up thread. `open` comes first, so that a failed start rejects a task; `close` comes
 * last, so that the thread never ends in the middle of a task.
 */
export type LookupTask =
  | { readonly kind: 'open' }
  | { readonly kind: 'find'; readonly lookups: readonly Lookup[] }
  | { readonly kind: 'close' }

const { file } = workerData as { readonly file: string }
let database: ReturnType<typeof openReadOnly> | undefined
let reader: LookupReader | undefined

/** The entry point that Piscina calls, one task at a time. */
export default function work(task: LookupTask): unknown {
  try {
    return perform(task)
  } catch (error) {
    throw plainError(error)
  }
}

function perform(task: LookupTask): unknown {
  switch (task.kind) {
    case 'open':
      database = openReadOnly(file)
      reader = new LookupReader(database)
      return undefined
    case 'find':
      return reader?.answer(task.lookups)
    case 'close':
      database?.close()
      return undefined
  }
}
