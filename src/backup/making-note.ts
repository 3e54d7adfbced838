import { existsSync, readFileSync, rmSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { createPrivateDirectory, writePrivateFile } from '../store/files/private-files.js'
import { syncPath } from '../store/files/sync-path.js'
import type { BackupName } from './backup-name.js'
import { allFilesOf, filesOf, readBackupName } from './backup-name.js'
import type { BackupStore } from './backup-store.js'

/** The note in a stage. An exchange makes one backup at a time. */
const NOTE = 'making'

interface Note {
  /** As seen from the stage, so that a data directory may be moved with its backups. */
  readonly place: string
  readonly name: BackupName
}

/**
 * Makes a backup under a name that no file of the store has, and notes that in the stage meanwhile: the note
 * tells what a killed process leaves in the store from the files of others.
 */
export async function withNote<Made>(
  stage: string,
  store: BackupStore,
  name: BackupName,
  make: () => Promise<Made>,
): Promise<Made> {
  await clearKilled(stage, store)
  const ours = new Set(allFilesOf(name))
  const taken = (await store.list()).find(file => ours.has(file.name))
  if (taken !== undefined) throw new Error(`${store.pathOf(taken.name)} is there already`)
  createPrivateDirectory(stage)
  const note: Note = { place: placeFrom(stage, store), name }
  writePrivateFile(join(stage, NOTE), JSON.stringify(note))
  syncPath(stage)
  try {
    return await make()
  } finally {
    // What cannot be deleted now is deleted before the next backup.
    await clearKilled(stage, store).catch(() => undefined)
  }
}

/**
 * Deletes what a backup that did not get its manifest has left in this store, by the note in the stage. No
 * backup of the stage may be under way.
 */
export async function clearKilled(stage: string, store: BackupStore): Promise<void> {
  const path = join(stage, NOTE)
  if (!existsSync(path)) return
  const note = readNote(path)
  // One of another store stays until that store is used again, or the next backup takes its place.
  if (note !== undefined && note.place !== placeFrom(stage, store)) return
  if (note !== undefined) await deleteUnfinished(store, note.name)
  rmSync(path, { force: true })
}

async function deleteUnfinished(store: BackupStore, name: BackupName): Promise<void> {
  const names = new Set((await store.list()).map(file => file.name))
  if (names.has(filesOf(name).manifest)) return
  // The exchange last: until then the backup is listed as unfinished.
  for (const file of allFilesOf(name)) if (names.has(file)) await store.delete(file)
}

function placeFrom(stage: string, { place }: BackupStore): string {
  return isAbsolute(place) ? relative(stage, place) : place
}

/** Reads a note; undefined if it was cut off as it was written, before the backup was begun. */
function readNote(path: string): Note | undefined {
  try {
    const { place, name } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Record<keyof Note, unknown>>
    const read = readBackupName(String(name))
    return typeof place === 'string' && read !== undefined && read === name
      ? { place, name: read }
      : undefined
  } catch {
    return undefined
  }
}
