import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, rmSync } from 'node:fs'
import { archiveMark } from '../store/archive/archive-mark.js'
import { archiveName } from '../store/archive/archive-path.js'
import { endOfJournal } from '../store/audit/journal-batches.js'
import { wholeJournal } from '../store/audit/last-sequence.js'
import type { Database } from '../store/database.js'
import { openReadOnly } from '../store/database.js'
import { backUp } from '../store/files/backup-file.js'
import { COMPANIONS, companionBackupPath, companionsOfBackup } from '../store/files/companion-files.js'
import { sizeOfFile } from '../store/files/file-bytes.js'
import { idText } from '../store/files/id-file.js'
import type { BatchPlace } from '../store/journal.js'
import { schemaVersion } from '../store/schema.js'
import type { Manifest, ManifestFile } from './manifest.js'

/** The part of a manifest that follows from the files. */
export type CopyFacts = Pick<
  Manifest,
  'schema' | 'exchange' | 'sequence' | 'journal_hash' | 'journal' | 'files'
>

const CHUNK_BYTES = 1024 * 1024

/**
 * Copies an exchange, whether it runs or not, to a file of this name, and its companions beside it. A failed
 * copy leaves nothing behind and throws.
 */
export function copyExchange(file: string, target: string): CopyFacts {
  backUp(file, target)
  try {
    return factsOf(target)
  } catch (error) {
    removeCopy(target)
    throw error
  }
}

/** Deletes a copy of an exchange and the companions beside it. */
export function removeCopy(copy: string): void {
  const companions = COMPANIONS.map(companion => companionBackupPath(copy, companion))
  for (const path of [copy, ...companions]) rmSync(path, { force: true })
}

/** Describes a copy of an exchange and the companions beside it. Throws if it is not one. */
export function factsOf(copy: string): CopyFacts {
  const files = [fileFacts('exchange', copy)]
  for (const companion of companionsOfBackup(copy)) {
    files.push(fileFacts(companion, companionBackupPath(copy, companion)))
  }
  const database = openReadOnly(copy)
  try {
    const journal = wholeJournal(database)
    if (journal === undefined) throw new Error(`${copy} has no journal`)
    const { sequence, at, hash } = endOfJournal(database, journal)
    const first = firstBatch(database, journal)
    const archive = archiveMark(database)
    if (archive !== undefined) files.push({ part: 'archive', bytes: archive.bytes, sha256: archive.digest })
    return {
      schema: schemaVersion(database),
      exchange: idText(Number(database.pragma('application_id', { simple: true }))),
      sequence,
      journal_hash: sequence === 0 ? null : hash.toString('hex'),
      ...(first === undefined ? {} : { journal: { first: placeOf(first), last: placeOf({ sequence, at }) } }),
      files,
    }
  } finally {
    database.close()
  }
}

function firstBatch(database: Database, journal: string): BatchPlace | undefined {
  const select = `SELECT sequence, at FROM ${journal} ORDER BY sequence LIMIT 1`
  return database.prepare<unknown[], BatchPlace>(select).get()
}

const placeOf = ({ sequence, at }: BatchPlace) => ({ sequence, at: new Date(at).toISOString() })

/** Returns the name of the archive that a copy needs beside it; undefined if nothing was archived. */
export function archiveOf(copy: string): string | undefined {
  const database = openReadOnly(copy)
  try {
    const mark = archiveMark(database)
    return mark && archiveName(mark.digest)
  } finally {
    database.close()
  }
}

/** Reads the file itself: no connection of this process may have it open. */
function fileFacts(part: ManifestFile['part'], path: string): ManifestFile {
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(CHUNK_BYTES)
  const descriptor = openSync(path, 'r')
  try {
    for (;;) {
      const length = readSync(descriptor, buffer, 0, buffer.length, null)
      if (length === 0) break
      hash.update(buffer.subarray(0, length))
    }
  } finally {
    closeSync(descriptor)
  }
  return { part, bytes: sizeOfFile(path), sha256: hash.digest('hex') }
}
