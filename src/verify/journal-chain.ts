import type { Sequence, TimeMs } from '../core/units.js'
import { lastSequenceInTables } from '../store/audit/last-sequence.js'
import type { Database } from '../store/database.js'
import { chainHash } from '../store/journal.js'
import type { Findings } from './findings.js'

/**
 * Checks that the journal is one unbroken history (invariants, I9): 1, 2, 3, … without a gap, each row's hash
 * built on the one before, time never going back, its end not behind the tables. After a faulty row it trusts
 * that row, so that one fault is not reported again for all that follow.
 */
export function checkChain(database: Database, findings: Findings): void {
  let last = 0
  let lastAt = 0
  let lastHash: Buffer = Buffer.alloc(32)
  const rows = database.prepare('SELECT sequence, shard, at, commands, hash FROM journal ORDER BY sequence')
  for (const row of rows.raw().iterate() as Iterable<[Sequence, number, TimeMs, string, Buffer]>) {
    const [sequence, shard, at, commands, hash] = row
    const next = last + 1
    if (sequence !== next) findings.add(() => `batch ${next} is missing: batch ${sequence} is there instead`)
    if (at < lastAt) findings.add(() => `batch ${sequence}: its time ${at} is before ${lastAt}`)
    if (!chainHash(lastHash, { sequence, shard, at, commands }).equals(hash)) {
      findings.add(() => `batch ${sequence}: its hash is not that of its contents and of batch ${next - 1}`)
    }
    last = sequence
    lastAt = at
    lastHash = hash
  }
  const inTables = lastSequenceInTables(database)
  if (inTables <= last) return
  const next = last + 1
  findings.add(() => `batch ${next} is missing: the journal ends here, the tables go on to batch ${inTables}`)
}
