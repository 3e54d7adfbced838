import { constants, copyFileSync, linkSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../database.js'
import { sizeOfFile } from '../files/file-bytes.js'
import { fileDigest } from '../files/file-digest.js'
import { createPrivateDirectory, createPrivateFile } from '../files/private-files.js'
import { syncPath } from '../files/sync-path.js'
import type { ArchiveMark } from './archive-mark.js'
import { archiveMark } from './archive-mark.js'
import { archiveName } from './archive-path.js'
import { ARCHIVE } from './archived-tables.js'

const PARTIAL = '.partial'

/**
 * Puts the archive of a connection into a directory for a copy of its tables, unless it is there already: as
 * another name of the same file where the file system allows it, for an archive never changes, or as a copy.
 * Returns what the copied tables must say about it.
 */
export function keepArchive(source: Database, directory: string): ArchiveMark | undefined {
  const mark = archiveMark(source)
  if (mark === undefined) return undefined
  const target = join(directory, archiveName(mark.digest))
  if (sizeOfFile(target) === mark.bytes) return mark
  createPrivateDirectory(directory)
  const path = pathOf(source)
  if (path === undefined) throw new Error(`the archive ${archiveName(mark.digest)} is missing`)
  if (sizeOfFile(path) !== mark.bytes) return rewrite(source, mark, directory)
  rmSync(target, { force: true })
  try {
    linkSync(path, target)
  } catch {
    const partial = target + PARTIAL
    rmSync(partial, { force: true })
    createPrivateFile(partial)
    copyFileSync(path, partial, constants.COPYFILE_FICLONE)
    syncPath(partial)
    renameSync(partial, target)
  }
  syncPath(directory)
  return mark
}

/** Rewrites an archive that has lost its name: its pages, and so its hash, are others then. */
function rewrite(source: Database, mark: ArchiveMark, directory: string): ArchiveMark {
  const partial = join(directory, `archive.db${PARTIAL}`)
  rmSync(partial, { force: true })
  createPrivateFile(partial)
  source.prepare(`VACUUM ${ARCHIVE} INTO ?`).run(partial)
  syncPath(partial)
  const written = { ...mark, bytes: sizeOfFile(partial), digest: fileDigest(partial) }
  renameSync(partial, join(directory, archiveName(written.digest)))
  syncPath(directory)
  return written
}

/** Returns the path of the archive that a connection has open. */
function pathOf(source: Database): string | undefined {
  const files = source.pragma('database_list') as readonly { readonly name: string; readonly file: string }[]
  return files.find(({ name }) => name === ARCHIVE)?.file
}
