import type { Sequence } from '../core/units.js'
import type { JournalRow } from '../store/journal.js'
import { linkFault } from '../store/journal.js'
import type { JetLog } from './jetstream/jet-log.js'
import type { LocalJournal } from './local-journal.js'
import { LogForkedError, LogLostError, RESTORE_ADVICE, TrimmedError } from './replication-error.js'

/** The part of a journal that meets a log. */
type OwnJournal = Pick<LocalJournal, 'end' | 'first' | 'row' | 'rows' | 'add' | 'orphan'>

/** How journal and log came together: the last line of both, and how many lines were taken and set aside. */
export interface Meeting {
  readonly held: Sequence
  readonly pulled: number
  readonly orphans: number
}

const ROWS_AT_ONCE = 256

/**
 * Brings journal and log to the same end before a start: takes what the log has more, publishes what the
 * journal has more on the same chain, and sets aside lines that the log went on without, which were answered
 * to no one. Throws if the log lacks what it has acknowledged, or is another exchange's.
 *
 * @param marked the last line that the log was known to hold
 */
export async function meetLog(log: JetLog, journal: OwnJournal, marked?: Sequence): Promise<Meeting> {
  const shared = await sharedWith(log, journal, marked)
  const isForked = log.end !== undefined && shared < Math.min(log.end.sequence, journal.end.sequence)
  const orphans = isForked ? journal.orphan(shared) : 0
  const pulled = await pull(log, journal)
  await publishRest(log, journal)
  return { held: journal.end.sequence, pulled, orphans }
}

/**
 * Brings the journal of a standby to the end of a log, and publishes nothing: what the journal has more, and
 * may have been answered in `async`, is set aside. Throws as `meetLog` does.
 */
export async function joinLog(log: JetLog, journal: OwnJournal, marked?: Sequence): Promise<Meeting> {
  const shared = await sharedWith(log, journal, marked)
  const orphans = shared < journal.end.sequence ? journal.orphan(shared) : 0
  const pulled = await pull(log, journal)
  return { held: journal.end.sequence, pulled, orphans }
}

/** Returns the last line that both have, or that a log without lines is to get. */
async function sharedWith(log: JetLog, journal: OwnJournal, marked?: Sequence): Promise<Sequence> {
  const end = log.end
  if (marked !== undefined && (end?.sequence ?? 0) < marked) {
    throw new LogLostError(
      `the log ends at batch ${end?.sequence ?? 0}, and had acknowledged batch ${marked}: ` +
        'restore the stream, or delete raay.replicated in the data directory to publish this journal again',
    )
  }
  const shared = end === undefined ? journal.end.sequence : await lastShared(log, journal)
  // A line may be in the log, and marked, before it is on this disk: then there is nothing to compare.
  if (marked !== undefined && shared < Math.min(marked, journal.end.sequence)) {
    throw new LogForkedError(`the log has another batch ${shared + 1} than the one that it had acknowledged`)
  }
  return shared
}

/**
 * Returns the last line that journal and log have in common, or the journal's last line if the log begins
 * right behind it. Throws if neither exists.
 */
async function lastShared(log: JetLog, journal: OwnJournal): Promise<Sequence> {
  const [logEnd, own] = [log.end?.sequence ?? 0, journal.end.sequence]
  if (own === 0) return 0 as Sequence
  const logFirst = log.first ?? 0
  if (own === logFirst - 1) {
    const next = await log.line(logFirst as Sequence)
    if (next !== undefined && linkFault(journal.end, next) === undefined) return own as Sequence
    if (next !== undefined) throw nothingShared(logFirst)
  }
  if (own < logFirst) throw TrimmedError.ofStream(own + 1)
  const first = Math.max(journal.first?.sequence ?? 0, logFirst)
  const isShared = async (sequence: number): Promise<boolean> => {
    const [mine, theirs] = [journal.row(sequence as Sequence), await log.line(sequence as Sequence)]
    // The log was trimmed since it was opened.
    if (theirs === undefined) throw TrimmedError.ofStream(sequence)
    return mine?.hash.equals(theirs.hash) === true
  }
  let [shared, other] = [first - 1, Math.min(logEnd, own) + 1]
  if (await isShared(other - 1)) return (other - 1) as Sequence
  while (shared + 1 < other) {
    const middle = Math.floor((shared + other) / 2)
    if (await isShared(middle)) shared = middle
    else other = middle
  }
  if (shared < first) throw nothingShared(logFirst)
  return shared as Sequence
}

function nothingShared(logFirst: number): LogForkedError {
  const parted =
    `, or they parted before batch ${logFirst}, with which it begins. In that case the log will never have ` +
    `what only this data directory has. ${RESTORE_ADVICE}`
  return new LogForkedError(
    'the log has no batch in common with this journal: it is of another exchange, or of another time' +
      (logFirst > 1 ? parted : ''),
  )
}

async function pull(log: JetLog, journal: OwnJournal): Promise<number> {
  const before = journal.end.sequence
  const end = log.end?.sequence ?? 0
  if (before >= end) return 0
  let rows: JournalRow[] = []
  const keep = () => {
    journal.add(rows)
    rows = []
  }
  for await (const row of log.read((before + 1) as Sequence)) {
    rows.push(row)
    if (rows.length === ROWS_AT_ONCE) keep()
    if (row.sequence === end) break
  }
  keep()
  return end - before
}

async function publishRest(log: JetLog, journal: OwnJournal): Promise<void> {
  const end = journal.end.sequence
  let next = (log.end?.sequence ?? (journal.first?.sequence ?? 1) - 1) + 1
  while (next <= end) {
    const rows = journal.rows(next as Sequence, ROWS_AT_ONCE)
    await Promise.all(rows.map(row => log.append(row)))
    next += rows.length
  }
}
