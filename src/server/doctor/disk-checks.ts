import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { freeBytesIn, RESERVE_FILE } from '../../store/disk-room.js'
import { ROOM_LIMITS } from '../../store/room-state.js'
import type { Check } from './check.js'
import { fail, ok, warn } from './check.js'
import { sizeText } from '../../api/size-text.js'

const MEGABYTE = 1024 * 1024
const FREE_WANTED = 1024 * MEGABYTE

/** File systems on which an exchange is not safe, by their numbers in Linux. */
const UNSAFE_KINDS: Readonly<Record<number, string>> = {
  16914836: 'tmpfs, which is memory',
  2240043254: 'ramfs, which is memory',
  26985: 'NFS, whose locks and syncs are not reliable',
  4283649346: 'CIFS, whose locks and syncs are not reliable',
  4266872130: 'SMB, whose locks and syncs are not reliable',
  16914839: '9p, whose locks and syncs are not reliable',
  12805120: 'Ceph, whose locks and syncs are not reliable',
  1397113167: 'AFS, whose locks and syncs are not reliable',
  2020557398: 'a shared folder of VirtualBox, whose locks and syncs are not reliable',
  1702057286: 'FUSE, where locks and syncs depend on the program behind it',
  2035054128: 'overlay, a layer of a container, which is deleted with the container',
}

/**
 * Checks the free space.
 *
 * @param free in bytes; a test gives its own
 */
export function spaceCheck(directory: string, free = freeIn(directory)): Check {
  const found = `${sizeText(free)} free`
  const advice = 'free some space: an exchange takes no orders when its disk is almost full'
  if (free < ROOM_LIMITS.lowBytes) return fail('space', found, advice)
  return free < FREE_WANTED ? warn('space', found, advice) : ok('space', found)
}

/**
 * Checks the kind of file system.
 *
 * @param kind its number in Linux; a test gives its own
 */
export function fileSystemCheck(directory: string, kind = statfsSync(directory).type): Check {
  const unsafe = process.platform === 'linux' ? UNSAFE_KINDS[kind >>> 0] : undefined
  if (unsafe === undefined) return ok('disk', 'not a file system known to lose synced data')
  return warn('disk', unsafe, 'choose a directory on a local disk or a volume with --data')
}

/** Returns the bytes an exchange may use: the free ones and its own reserve. */
export function freeIn(directory: string): number {
  const reserve = statSync(join(directory, RESERVE_FILE), { throwIfNoEntry: false })?.size ?? 0
  return freeBytesIn(directory) + reserve
}
