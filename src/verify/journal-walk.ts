import type { Sequence, TimeMs } from '../core/units.js'
import type { Database } from '../store/database.js'
import { chainHash } from '../store/journal.js'
import type { Findings } from './findings.js'

/** A batch as the journal has it. */
export interface JournalledBatch {
  readonly sequence: Sequence
  readonly at: TimeMs
  /** The commands, as JSON. */
  readonly text: string
}

/**
 * Walks over the journal from its beginning and checks that it is one unbroken history (proof.md, I9): 1, 2,
 * 3, … without a gap, each row's hash made of the one before, time never back. A row that is wrong is told
 * and passed on all the same: what it leads to says more than that it was touched.
 */
export function* walkJournal(database: Database, findings: Findings): Generator<JournalledBatch> {
  let last = 0
  let lastAt = 0
  let lastHash: Buffer = Buffer.alloc(32)
  const rows = database.prepare('SELECT sequence, shard, at, commands, hash FROM journal ORDER BY sequence')
  for (const row of rows.raw().iterate() as Iterable<[Sequence, number, TimeMs, string, Buffer]>) {
    const [sequence, shard, at, text, hash] = row
    if (sequence !== last + 1) findings.add(() => `batch ${sequence} follows batch ${last}`)
    if (at < lastAt) findings.add(() => `batch ${sequence}: its time ${at} is before ${lastAt}`)
    if (!chainHash(lastHash, { sequence, shard, at, commands: text }).equals(hash)) {
      findings.add(() => `batch ${sequence}: its hash does not follow from its contents and batch ${last}`)
    }
    last = sequence
    lastAt = at
    lastHash = hash
    yield { sequence, at, text }
  }
}
