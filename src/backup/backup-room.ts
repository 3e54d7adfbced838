import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BackupStore } from './backup-store.js'
import type { BackupReason } from './manifest.js'
import { archiveNameIn } from './stored-parts.js'
import { archivesIn } from '../store/archive/archive-path.js'
import { companionPath, companionsOf } from '../store/files/companion-files.js'
import { fileBytes, sizeOfFile } from '../store/files/file-bytes.js'
import type { Room } from '../store/room-state.js'
import { ROOM_LIMITS } from '../store/room-state.js'

/**
 * Returns whether a backup can be made without filling a disk: that of the exchange, which would take it
 * down, or that of the store. A scheduled one leaves room for one more, made by hand.
 */
export async function hasRoomFor(
  reason: BackupReason,
  file: string,
  store: BackupStore,
  room: Pick<Room, 'state' | 'freeBytes'>,
): Promise<boolean> {
  if (room.state !== 'ok') return false
  const bytes = await copyBytes(file)
  const isOnOurDisk = store.fills !== undefined && deviceOf(store.fills) === deviceOf(file)
  const needed = neededBytes({
    copy: bytes,
    archive: isOnOurDisk && store.directory !== undefined ? 0 : await newArchiveBytes(dirname(file), store),
    staged: store.directory === undefined ? bytes : 0,
    isEncrypted: store.keyId !== undefined,
  })
  const left = ROOM_LIMITS.lowBytes + (reason === 'scheduled' ? bytes : 0)
  if (isOnOurDisk) return room.freeBytes >= needed.staged + needed.stored + left
  // Without a stage nothing is written to the disk of the exchange.
  if (needed.staged > 0 && room.freeBytes < needed.staged + left) return false
  const freeBytes = await store.freeBytes()
  return freeBytes === undefined || freeBytes >= needed.stored + left
}

interface Sizes {
  /** The files that are stored, without the archive. */
  readonly copy: number
  /** The archive, where the store has to be given it. */
  readonly archive: number
  /** The copy that waits in the data directory for a store that is elsewhere, or encrypted. */
  readonly staged: number
  readonly isEncrypted: boolean
}

/** Returns what a backup takes in the store, and at most meanwhile in the data directory. */
function neededBytes({ copy, archive, staged, isEncrypted }: Sizes) {
  // Each file is encrypted beside its copy before it is stored, one at a time.
  const ciphertext = isEncrypted ? Math.max(staged, archive) : 0
  return { stored: copy + archive, staged: staged + ciphertext }
}

/** Returns the size of a copy of an exchange without its archive. */
async function copyBytes(file: string): Promise<number> {
  const { database, wal, journal, journalWal } = await fileBytes(file)
  const companions = companionsOf(file).map(companion => sizeOfFile(companionPath(file, companion)))
  return [database, wal, journal, journalWal, ...companions].reduce((sum, bytes) => sum + bytes, 0)
}

/** Returns the size of the archive if the store does not have it yet. */
async function newArchiveBytes(directory: string, store: BackupStore): Promise<number> {
  const archives = archivesIn(directory)
  if (archives.length === 0) return 0
  const stored = new Set((await store.list()).map(({ name }) => name))
  const missing = archives.filter(name => !stored.has(archiveNameIn(store, name)))
  return missing.reduce((sum, name) => sum + sizeOfFile(join(directory, name)), 0)
}

/** Returns the number of the disk that a path is on, or will be on. */
function deviceOf(path: string): number {
  return existsSync(path) || dirname(path) === path ? statSync(path).dev : deviceOf(dirname(path))
}
