import type { Sequence, TimeMs } from '../core/units.js'
import { hasBatch } from '../store/audit/journal-batches.js'
import { lastSequenceInTables } from '../store/audit/last-sequence.js'
import type { Database } from '../store/database.js'
import { chainHash } from '../store/journal.js'
import { Reached } from '../store/reached.js'
import type { Findings } from './findings.js'

/**
 * Checks that the journal is one unbroken history (invariants, I9), also beyond the tables: 1, 2, 3, …
 * without a gap, each row's hash built on the one before, time never going back, its end not behind the
 * tables. After a faulty row it trusts that row, so that one fault is not reported again for all that follow.
 * Returns the last batch.
 */
export function checkChain(database: Database, findings: Findings): number {
  let last = 0
  let lastAt = 0
  let lastHash: Buffer = Buffer.alloc(32)
  const rows = database.prepare(
    'SELECT sequence, shard, at, commands, hash FROM whole_journal ORDER BY sequence',
  )
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
  checkMark(database, last, findings)
  return last
}

/** Checks the mark of the last batch that the tables include: the rows go no further, and neither does it. */
function checkMark(database: Database, last: number, findings: Findings): void {
  const rows = database.prepare<unknown[], number>('SELECT id FROM reached').pluck().all()
  if (rows.length !== 1 || rows[0] !== 1) findings.add(() => 'the mark in reached is not one row with id 1')
  const reached = new Reached(database).read()
  const { sequence } = reached
  const inRows = lastSequenceInTables(database)
  const inTables = Math.max(sequence, inRows)
  if (inTables > last) {
    const next = last + 1
    findings.add(
      () => `batch ${next} is missing: the journal ends here, the tables go on to batch ${inTables}`,
    )
  }
  if (sequence > last) findings.add(() => `the mark in reached is batch ${sequence}, which is missing`)
  else if (!hasBatch(database, 'whole_journal', reached)) {
    findings.add(() => `the mark in reached is batch ${sequence} with another hash than the journal's`)
  }
  if (inRows > sequence) {
    findings.add(() => `the mark in reached is batch ${sequence}, but the rows go on to batch ${inRows}`)
  }
}
