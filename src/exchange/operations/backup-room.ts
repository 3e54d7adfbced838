import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BackupStore } from '../../backup/backup-store.js'
import type { BackupReason } from '../../backup/manifest.js'
import { archivesIn } from '../../store/archive/archive-path.js'
import { companionPath, companionsOf } from '../../store/files/companion-files.js'
import { fileBytes, sizeOfFile } from '../../store/files/file-bytes.js'
import type { Room } from '../../store/room-state.js'
import { ROOM_LIMITS } from '../../store/room-state.js'

/** Scheduled backups leave room for one more, made by hand. */
const SCHEDULED_COPIES = 2

/**
 * Returns whether a backup can be made without filling a disk: that of the exchange, which would take it
 * down, or that of the store.
 */
export async function hasRoomFor(
  reason: BackupReason,
  file: string,
  store: BackupStore,
  room: Room,
): Promise<boolean> {
  const { database, wal, journal, journalWal } = await fileBytes(file)
  const companions = companionsOf(file).map(companion => sizeOfFile(companionPath(file, companion)))
  const bytesMax = [database, wal, journal, journalWal, ...companions].reduce((sum, bytes) => sum + bytes, 0)
  const needed = bytesMax * (reason === 'scheduled' ? SCHEDULED_COPIES : 1) + ROOM_LIMITS.lowBytes
  if (room.state !== 'ok') return false
  const isMadeElsewhere = store.directory !== undefined && deviceOf(store.directory) !== deviceOf(file)
  if (!isMadeElsewhere) return room.freeBytes >= needed
  const freeBytes = await store.freeBytes()
  return freeBytes === undefined || freeBytes >= needed + archiveBytes(dirname(file))
}

/** Returns the size of the archive, of which another disk may need a copy. */
function archiveBytes(directory: string): number {
  return archivesIn(directory).reduce((sum, name) => sum + sizeOfFile(join(directory, name)), 0)
}

/** Returns the number of the disk that a path is on, or will be on. */
function deviceOf(path: string): number {
  return existsSync(path) || dirname(path) === path ? statSync(path).dev : deviceOf(dirname(path))
}
