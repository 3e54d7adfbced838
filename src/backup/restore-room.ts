import { ROOM_LIMITS } from '../store/room-state.js'

/** Refuses a restore that could fill the disk: a start needs the size of the journal once more. */
export function assertRoom(path: string, freeBytes: number, bytes: number): void {
  const needed = 2 * bytes + ROOM_LIMITS.lowBytes
  if (freeBytes >= needed) return
  const megabytes = (count: number) => `${Math.ceil(count / 1_000_000)} MB`
  throw new Error(`${path} has ${megabytes(freeBytes)} free, and the restore needs ${megabytes(needed)}`)
}
