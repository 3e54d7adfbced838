import { setTimeout as sleep } from 'node:timers/promises'
import type { Lineage, PackPlace } from '../../store/companions/companion-outbox.js'
import { isAccepted, ownersOf } from '../../store/companions/companion-outbox.js'
import { FencedError, LogLostError } from '../replication-error.js'
import type { Pack } from './pack.js'
import { BrokenPackError, readPack } from './pack.js'

/** How often a log that lacks a pack is asked again: a server may just have been elected. */
export const [LOOKS_BEFORE_LOST, PAUSE_MS] = [8, 250]

/** The packs of one companion, elsewhere; each place is taken once. */
export interface PackLog {
  /** The log's name, for messages. */
  readonly name: string
  /** Returns false if the place is taken, or was refused. Rejects if it is unknown whether it was taken. */
  put(place: number, pack: Uint8Array): Promise<boolean>
  get(place: number): Promise<Uint8Array | undefined>
  /**
   * Rejects if a place that this exchange has taken was free only because packs are gone: with FencedError if
   * others have gone on, else to be tried again.
   */
  confirm(place: number, pack: Uint8Array): Promise<void>
  /** Returns the last place that is taken; 0 in an empty log. */
  last(): Promise<number>
  /** Deletes packs before a place. */
  trim(before: number): Promise<void>
}

/** Returns the last pack of a log; undefined in an empty one. */
export async function lastPack(log: PackLog): Promise<Pack | undefined> {
  const place = await log.last()
  if (place === 0) return undefined
  const bytes = await log.get(place)
  if (bytes === undefined) throw lackOf(log, place, 'its last one')
  return readPack(place, bytes)
}

function lackOf({ name }: PackLog, place: number, which: string): BrokenPackError {
  return new BrokenPackError(
    `${name} no longer has pack ${place}, ${which}: restore it, or delete all of it. ` +
      'An exchange that has the rows then sends them again',
  )
}

/**
 * Throws if a log has lost the pack at a place, or has one there that does not follow the one before it, and
 * has no later snapshot with which a reader could go on.
 *
 * @param before the pack before it, unless a snapshot begins with this one
 */
export async function refuseGap(log: PackLog, place: number, before?: PackPlace): Promise<void> {
  for (let looks = LOOKS_BEFORE_LOST; ; looks--) {
    const last = await lastPack(log)
    if (last === undefined || last.head.place < place || last.head.base > place) return
    // Then this is not the log that it was.
    if (before !== undefined && (await packAt(log, before.place))?.hash !== before.hash) return
    const found = await packAt(log, place)
    if (found !== undefined && (before === undefined || found.head.before === before.hash)) return
    if (looks === 1) throw lackOf(log, place, 'which others follow')
    await sleep(PAUSE_MS)
  }
}

/** Returns a pack; undefined if the log does not have it. */
export async function packAt(log: PackLog, place: number): Promise<Pack | undefined> {
  const bytes = place > 0 ? await log.get(place) : undefined
  return bytes && readPack(place, bytes)
}

/**
 * Returns the last pack with which a take-over would begin: those behind it are of one that leads and has not
 * sent its first copy of all rows. Undefined in an empty log.
 */
export async function lastWhole(log: PackLog): Promise<Pack | undefined> {
  const last = await lastPack(log)
  const until = last?.head.until ?? 0
  return until === 0 ? last : packAt(log, until - 1)
}

/** Returns true if a file may stand for all that a log has: nobody else has led it since. */
export function goesOnFrom(
  last: Pack | undefined,
  { lineage, counter }: { readonly lineage: Lineage | undefined; readonly counter: number },
): boolean {
  // Without a copy of all rows nobody can have taken it over.
  if (last === undefined || last.head.base === 0 || isAccepted(lineage)) return true
  // A copy of an earlier time has given fewer numbers than the log has.
  return ownersOf(lineage).includes(last.head.owner) && last.head.number <= counter
}

/** Returns true if an exchange is known to lead a log that began after an epoch. */
export async function isLedAfter(log: PackLog, epoch: number): Promise<boolean> {
  const last = await lastPack(log).catch(() => undefined)
  return last !== undefined && last.head.epoch > epoch
}

/**
 * Puts a pack at its place, once. An answer that was lost is found by reading the place: these very bytes are
 * an earlier attempt. Returns false, or rejects, if it is not there yet, and is to be tried again. Rejects
 * with FencedError if another pack is there.
 */
export async function putOnce(log: PackLog, place: number, bytes: Uint8Array): Promise<boolean> {
  let failure: unknown
  let isPut = false
  try {
    isPut = await log.put(place, bytes)
  } catch (error) {
    if (error instanceof LogLostError) throw error
    failure = error
  }
  if (!isPut) {
    const found = await log.get(place)
    if (found === undefined && failure !== undefined) throw failure
    if (found === undefined) return false
    if (Buffer.compare(found, bytes) !== 0)
      throw new FencedError(`${log.name} was taken over: another exchange wrote pack ${place}`)
  }
  await log.confirm(place, bytes)
  return true
}
