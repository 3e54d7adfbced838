import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { freeBytesIn, RESERVE_FILE } from '../../store/disk-room.js'
import { ROOM_LIMITS } from '../../store/room-state.js'
import type { Check } from './check.js'
import { fail, ok, warn } from './check.js'

const MEGABYTE = 1024 * 1024
const FREE_WANTED = 1024 * MEGABYTE

/** Kinds of file systems, by the number that Linux gives them, on which an exchange is not safe. */
const UNSAFE_KINDS: Readonly<Record<number, string>> = {
  16914836: 'tmpfs, which is memory',
  2240043254: 'ramfs, which is memory',
  26985: 'NFS, whose locks and syncs are not dependable',
  4283649346: 'CIFS, whose locks and syncs are not dependable',
  4266872130: 'SMB, whose locks and syncs are not dependable',
  16914839: '9p, whose locks and syncs are not dependable',
}

/** @param free how many bytes are free, for one who asks what would be said of it */
export function spaceCheck(directory: string, free = freeIn(directory)): Check {
  const found = free < FREE_WANTED ? `${Math.floor(free / MEGABYTE)} MB free` : `${gigabytes(free)} GB free`
  const advice = 'make room: an exchange whose disk is almost full takes no orders'
  if (free < ROOM_LIMITS.lowBytes) return fail('space', found, advice)
  return free < FREE_WANTED ? warn('space', found, advice) : ok('space', found)
}

/** @param kind the number of the kind of file system, for one who asks what would be said of it */
export function fileSystemCheck(directory: string, kind = statfsSync(directory).type): Check {
  const unsafe = process.platform === 'linux' ? UNSAFE_KINDS[kind >>> 0] : undefined
  if (unsafe === undefined) return ok('disk', 'no kind of file system that is known to lose what it syncs')
  return warn('disk', unsafe, 'choose a directory on a disk of this machine with --data')
}

/** What an exchange may use: what is free, and its own reserve. */
function freeIn(directory: string): number {
  const reserve = statSync(join(directory, RESERVE_FILE), { throwIfNoEntry: false })?.size ?? 0
  return freeBytesIn(directory) + reserve
}

const gigabytes = (bytes: number) => (bytes / FREE_WANTED).toFixed(1)
