import type { HistorySource } from '../backup/past/history-source.js'
import { openSource } from '../backup/past/history-source.js'
import { endOfJournal, hasBatch } from '../store/audit/journal-batches.js'
import { idText } from '../store/files/id-file.js'
import type { JournalEnd, JournalRow } from '../store/journal.js'
import { BEGINNING, linkFault } from '../store/journal.js'
import type { ReachedBatch } from '../store/reached.js'
import { SCHEMA_VERSION } from '../store/tables-schema.js'
import { batchLine, footerLine, headerLine } from './exchange-lines.js'
import { ExportError } from './export-error.js'
import type { Exported, ExportProgress } from './export-table.js'
import { PartialFile } from './partial-file.js'

/** The note after each part: an export goes on behind its last batch, up to the one at which it was begun. */
interface Note {
  readonly header: string
  readonly upTo: { readonly sequence: number; readonly hash: string }
  readonly last: { readonly sequence: number; readonly at: number; readonly hash: string }
}

/** Characters of a part: what a kill costs, and what is in memory. */
const PART_LENGTH = 4_000_000

/**
 * Writes a whole exchange to a file: its journal, from which an import makes everything else. Goes on with an
 * interrupted export up to the batch at which that one was begun: the journal only grows. Accounts and
 * credentials are not part of it. Throws if the journal is damaged.
 *
 * @param data a data file or a backup; an exchange may be running on it
 */
export function exportExchange(
  data: string,
  path: string,
  version: string,
  told: ExportProgress,
  partLength = PART_LENGTH,
): Exported {
  const source = openSource(data)
  try {
    return write(source, path, version, told, partLength)
  } finally {
    source.database.close()
  }
}

function write(
  source: HistorySource,
  path: string,
  version: string,
  told: ExportProgress,
  partLength: number,
): Exported {
  const { database, journal, id } = source
  const end = endOfJournal(database, journal)
  const before = PartialFile.progress<Note>(path)
  const isContinued = before !== undefined && hasBatch(database, journal, batchOf(before.note.upTo))
  const { header, upTo, last } = isContinued ? before.note : beginning(id, version, end)
  const file = PartialFile.open<Note>(path, isContinued ? before : undefined)
  try {
    if (!isContinued) file.write(Buffer.from(`${header}\n`), { header, upTo, last })
    let from: JournalEnd = { ...batchOf(last), at: last.at as JournalEnd['at'] }
    for (const rows of parts(source, from, upTo.sequence, partLength)) {
      from = checked(source, from, rows)
      const noted = { sequence: from.sequence, at: from.at, hash: from.hash.toString('hex') }
      file.write(Buffer.from(rows.map(row => `${batchLine(row)}\n`).join('')), { header, upTo, last: noted })
      told(from.sequence, upTo.sequence)
    }
    const hash = upTo.sequence === 0 ? null : upTo.hash
    file.finish(Buffer.from(`${footerLine(header, upTo.sequence, hash)}\n`))
  } catch (error) {
    file.close()
    throw error
  }
  return { rows: upTo.sequence, sequence: upTo.sequence, resumedAt: isContinued ? last.sequence : 0 }
}

function beginning(id: number, version: string, { sequence, hash }: JournalEnd): Note {
  const exchange = idText(id)
  return {
    header: headerLine({ exchange, raay: version, schema: SCHEMA_VERSION, sequence }),
    upTo: { sequence, hash: hash.toString('hex') },
    last: { sequence: 0, at: 0, hash: BEGINNING.hash.toString('hex') },
  }
}

/** Yields the batches behind one, some at a time. */
function* parts(
  { database, journal }: HistorySource,
  from: JournalEnd,
  upTo: number,
  partLength: number,
): Generator<JournalRow[]> {
  const select = database.prepare<unknown[], JournalRow>(
    `SELECT sequence, shard, at, commands, hash FROM ${journal}
     WHERE sequence > ? AND sequence <= ? ORDER BY sequence`,
  )
  let rows: JournalRow[] = []
  let length = 0
  for (const row of select.iterate(from.sequence, upTo)) {
    rows.push(row)
    length += row.commands.length
    if (length < partLength) continue
    yield rows
    rows = []
    length = 0
  }
  if (rows.length > 0) yield rows
}

/** Returns the last of some batches. Throws ExportError unless each follows from the one before. */
function checked({ name }: HistorySource, from: JournalEnd, rows: readonly JournalRow[]): JournalEnd {
  let before = from
  for (const row of rows) {
    const fault = linkFault(before, row)
    if (fault !== undefined) throw new ExportError(`${name} is damaged (${fault}): raay verify says more`)
    if (row.commands.includes('\n')) throw new ExportError(`batch ${row.sequence} does not fit on a line`)
    before = row
  }
  return before
}

function batchOf({ sequence, hash }: { readonly sequence: number; readonly hash: string }): ReachedBatch {
  return { sequence: sequence as ReachedBatch['sequence'], hash: Buffer.from(hash, 'hex') }
}
