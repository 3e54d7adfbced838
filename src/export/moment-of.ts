import { hasBatch } from '../store/audit/journal-batches.js'
import type { Database } from '../store/database.js'
import type { ReachedBatch } from '../store/reached.js'
import { Reached } from '../store/reached.js'

/** A moment of an exchange: the last batch that its tables include, and its hash. */
export interface Moment {
  readonly sequence: number
  readonly hash: string
}

/** Returns the moment that a connection's read transaction sees. */
export function momentOf(database: Database): Moment {
  const { sequence, hash } = new Reached(database).read()
  return { sequence, hash: hash.toString('hex') }
}

/** Returns true if an exchange has been at this moment. */
export function isSameMoment(database: Database, { sequence, hash }: Moment): boolean {
  const batch = { sequence, hash: Buffer.from(hash, 'hex') } as ReachedBatch
  return sequence <= new Reached(database).read().sequence && hasBatch(database, 'whole_journal', batch)
}
