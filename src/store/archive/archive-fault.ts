import { basename, dirname, join } from 'node:path'
import { beginningOf, endOfJournal, hasBatch } from '../audit/journal-batches.js'
import type { Database } from '../database.js'
import { sizeOfFile } from '../files/file-bytes.js'
import { fileDigest } from '../files/file-digest.js'
import type { JournalRow } from '../journal.js'
import { linkFault } from '../journal.js'
import { archiveMark } from './archive-mark.js'
import { archiveName, archivePath, archivesIn } from './archive-path.js'
import { ARCHIVE } from './archived-tables.js'

/**
 * Returns why a start must not go on with the archive beside a file of tables: it is missing, of another
 * size, another exchange or another moment. Reads the archive's first page and its last batch.
 */
export function archiveFault(database: Database, file: string): string | undefined {
  const mark = archiveMark(database)
  if (mark === undefined) return undefined
  const path = archivePath(file, mark)
  const bytes = sizeOfFile(path)
  if (bytes === 0) return missing(path)
  if (bytes !== mark.bytes) return `the archive ${path} is damaged: it has ${bytes} bytes, not ${mark.bytes}`
  const id = (schema: string) => database.pragma(`${schema}.application_id`, { simple: true })
  if (id(ARCHIVE) !== id('main')) return `the archive ${path} is of another exchange`
  const end = endOfJournal(database, `${ARCHIVE}.journal`)
  if (end.sequence === mark.sequence && end.hash.equals(mark.hash)) return undefined
  return `the archive ${path} is not the one that ${basename(file)} names: it ends at batch ${end.sequence}`
}

/** Returns how the archive's contents differ from those that the tables name; reads all of it. */
export function archiveDamage(database: Database, file: string): string | undefined {
  const mark = archiveMark(database)
  if (mark === undefined) return undefined
  const digest = fileDigest(archivePath(file, mark))
  return digest === mark.digest
    ? undefined
    : `${archiveName(mark.digest)} was changed: its SHA-256 is ${digest}`
}

function missing(path: string): string {
  const copy = join(dirname(path), 'backups', basename(path))
  const advice = sizeOfFile(copy) > 0 ? `cp ${copy} ${path}` : 'put it back; backups keep it beside them'
  const others = archivesIn(dirname(path))
  const found = others.length === 0 ? '' : ` (there is ${others.join(', ')}, of another moment)`
  return `the archive ${path} is missing${found}: ${advice}`
}

/**
 * Returns why a journal does not go on from where the archive ends, or from the beginning if there is none.
 *
 * @param journal the table's name on this connection, with its database
 */
export function journalBeginFault(database: Database, journal: string): string | undefined {
  const beginning = beginningOf(database)
  const select = `SELECT sequence, shard, at, commands, hash FROM ${journal} ORDER BY sequence LIMIT 1`
  const first = database.prepare<unknown[], JournalRow>(select).get()
  if (first === undefined) return undefined
  if (first.sequence > beginning.sequence) return linkFault(beginning, first)
  if (hasBatch(database, journal, beginning)) return undefined
  return `batch ${beginning.sequence} of the journal is not the one at which the archive ends`
}
