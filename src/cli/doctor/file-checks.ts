import { join } from 'node:path'
import type { Check } from '../../server/doctor/check.js'
import { fail, ok, warn } from '../../server/doctor/check.js'
import { archiveFault } from '../../store/archive/archive-fault.js'
import { archiveMark } from '../../store/archive/archive-mark.js'
import { archiveName } from '../../store/archive/archive-path.js'
import { endOfJournal } from '../../store/audit/journal-batches.js'
import { reachedFault } from '../../store/audit/journal-end.js'
import { wholeJournal } from '../../store/audit/last-sequence.js'
import type { Database } from '../../store/database.js'
import { openReadOnly } from '../../store/database.js'
import { sizeOfFile } from '../../store/files/file-bytes.js'
import { IdFile, idText } from '../../store/files/id-file.js'
import { JOURNAL_FILE, TABLES_FILE } from '../../store/files/journal-path.js'
import { hasJournal } from '../../store/files/journal-split.js'
import { Reached } from '../../store/reached.js'
import { schemaVersion } from '../../store/schema.js'
import { SCHEMA_VERSION, TABLES_SCHEMA } from '../../store/tables-schema.js'
import { sizeText } from '../../api/size-text.js'
import { minute } from '../terminal/table.js'

const RESTORE = 'put it back, or restore a backup as raay.db'

/**
 * Checks the tables and the journal: that both are there and belong together, their version and sizes, and
 * whether the clock is behind the journal.
 */
export function fileChecks(directory: string, now: number): Check[] {
  const path = join(directory, TABLES_FILE)
  if (sizeOfFile(path) === 0) return [missing(directory)]
  try {
    const database = openReadOnly(path)
    try {
      return checksOf(database, directory, now)
    } finally {
      database.close()
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const advice = 'run raay verify for details; restore a backup if it is damaged'
    return [fail('file', `${path} or its journal cannot be read: ${reason}`, advice)]
  }
}

function missing(directory: string): Check {
  const path = join(directory, TABLES_FILE)
  if (sizeOfFile(join(directory, JOURNAL_FILE)) > 0) {
    return fail('file', `${path} is missing, but its journal ${JOURNAL_FILE} is there`, RESTORE)
  }
  const id = new IdFile(path)
  if (id.read() === undefined) return ok('file', 'none yet: the first start creates it')
  const advice = `restore a backup; to begin a new exchange, delete ${id.path}`
  return fail('file', `${path} is missing, but ${id.path} says that an exchange was here`, advice)
}

function checksOf(database: Database, directory: string, now: number): Check[] {
  const version = schemaVersion(database)
  const size = sizeIn(directory, TABLES_FILE)
  if (version !== SCHEMA_VERSION) return [otherVersion(version, size)]
  const whole = wholeJournal(database)
  if (whole === undefined) {
    return [fail('file', `its journal ${join(directory, JOURNAL_FILE)} is missing`, RESTORE)]
  }
  const fault = pairFault(database, directory, whole) ?? archiveFaultIn(database, directory)
  if (fault !== undefined) return [fault]
  const { at } = endOfJournal(database, whole)
  const sizes = hasJournal(database)
    ? `${size}, a backup that the next start splits`
    : `${size}, journal ${sizeIn(directory, JOURNAL_FILE)}${archiveText(database, directory)}`
  return [ok('file', `version ${version}, ${sizes}`), ...behind(at, now)]
}

/** Compares the ids of both files and of the directory, and the tables' last batch with the journal. */
function pairFault(database: Database, directory: string, whole: string): Check | undefined {
  const idIn = (name: string) => Number(database.pragma(`${name}.application_id`, { simple: true }))
  const id = idIn('main')
  const beside = new IdFile(join(directory, TABLES_FILE)).read() ?? id
  const inJournal = hasJournal(database) ? id : idIn('log')
  const advice = 'put the files of one exchange together, or raay backup restore --overwrite'
  if (id !== beside || id !== inJournal) {
    const found = `tables of exchange ${idText(id)}, journal of ${idText(inJournal)}`
    return fail('file', `${found}, directory of ${idText(beside)}`, advice)
  }
  const fault = reachedFault(database, whole, new Reached(database).read())
  return fault === undefined ? undefined : fail('file', `tables and journal differ: ${fault}`, advice)
}

/** Looks for the archive, if the tables name one. */
function archiveFaultIn(database: Database, directory: string): Check | undefined {
  const fault = archiveFault(database, join(directory, TABLES_FILE))
  if (fault === undefined) return undefined
  return fail('file', fault, 'a start refuses to do without it: backups keep it beside them')
}

function archiveText(database: Database, directory: string): string {
  const mark = archiveMark(database)
  return mark === undefined ? '' : `, archive ${sizeIn(directory, archiveName(mark.digest))}`
}

function sizeIn(directory: string, name: string): string {
  return sizeText(sizeOfFile(join(directory, name)))
}

function otherVersion(version: number, size: string): Check {
  const found = `version ${version}, ${size}; this program uses version ${SCHEMA_VERSION}`
  if (version === 0) return fail('file', `${found}: not a Raay file`, 'choose another with --data')
  if (version > SCHEMA_VERSION) return fail('file', found, 'start a newer Raay')
  if (version < TABLES_SCHEMA.first) return fail('file', found, 'start the Raay that wrote it')
  return warn('file', found, 'the next start upgrades it: make a copy first')
}

function behind(last: number, now: number): Check[] {
  if (last <= now) return []
  const written = `${minute(new Date(last).toISOString())} UTC`
  const found = `behind the last batch of the journal, which is from ${written}`
  return [
    warn(
      'clock',
      found,
      "set it: until it catches up, the journal's time does not advance, and no event opens or closes",
    ),
  ]
}
