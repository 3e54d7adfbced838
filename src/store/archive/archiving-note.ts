import { readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writePrivateFile } from '../files/private-files.js'
import { syncPath } from '../files/sync-path.js'
import type { ArchiveMark } from './archive-mark.js'
import { archiveName } from './archive-path.js'

/** The archives of an archiving that may have been interrupted: the one to be replaced, and the new one. */
interface ArchivingNote {
  readonly old: string | null
  readonly new: string
}

const NOTE = 'archiving.json'
const NAME = /^archive-[0-9a-f]{16}\.db$/

/** Notes the new archive before it gets its name, durably, so that one of the two can be deleted later. */
export function noteArchiving(
  file: string,
  old: ArchiveMark | undefined,
  { digest }: Pick<ArchiveMark, 'digest'>,
): void {
  const note: ArchivingNote = {
    old: old === undefined ? null : archiveName(old.digest),
    new: archiveName(digest),
  }
  writePrivateFile(join(dirname(file), NOTE), JSON.stringify(note))
  syncPath(dirname(file))
}

/**
 * Deletes the archive of a noted archiving that the tables do not name: the new one if it was interrupted
 * before they did, the old one afterwards. Leaves both alone if the tables name neither: they are others.
 */
export function finishArchiving(file: string, mark: ArchiveMark | undefined): void {
  const path = join(dirname(file), NOTE)
  const note = readNote(path)
  if (note === undefined) {
    rmSync(path, { force: true })
    return
  }
  const named = mark === undefined ? null : archiveName(mark.digest)
  const left = named === note.old ? note.new : named === note.new ? note.old : null
  if (left !== null && left !== named) rmSync(join(dirname(file), left), { force: true })
  syncPath(dirname(file))
  rmSync(path, { force: true })
}

/** Returns undefined if there is none, or a kill tore it: then no archive has its name yet. */
function readNote(path: string): ArchivingNote | undefined {
  try {
    const note = JSON.parse(readFileSync(path, 'utf8')) as ArchivingNote
    const isName = (name: unknown) => NAME.test(String(name))
    return isName(note.new) && (note.old === null || isName(note.old)) ? note : undefined
  } catch (error) {
    const isTorn = error instanceof SyntaxError || error instanceof TypeError
    if (isTorn || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
