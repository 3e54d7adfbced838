import type { Sequence } from '../../core/units.js'
import type { JournalReader } from '../journal-reader.js'
import type { ReplicaExtent } from '../replica-messages.js'
import { OBJECTS, objectFrom } from './journal-object.js'
import type { ReplicaStore } from './replica-store.js'
import { wholeBackups } from './replica-store.js'
import { verifiedEnd, verifiedEndOf } from '../verified-end.js'
import { readStandbyMarks, writeStandbyMark } from './standby-mark.js'

/** The objects at the end of a log that are kept in any case: a put is checked by the one before it. */
const KEPT_MIN = 2
/** A mark that is dated further ahead is of a clock that is wrong, here or there. */
const AHEAD_MAX_MS = 3_600_000

interface TrimOptions {
  readonly store: ReplicaStore
  readonly exchange: string
  readonly journal: Pick<JournalReader, 'hashOf' | 'lastBefore'>
  /** Returns the last line of the journal that the store is known to have. */
  readonly through: () => Sequence
  /** How long batches are kept that a verified backup has. */
  readonly keepMs: number
  readonly now: () => number
  /** Called with what an operator should know of a mark that is not in order. */
  readonly warn: (message: string) => void
  /** Ends the trimming after the next deletion. */
  readonly isStopped: () => boolean
}

/**
 * Deletes objects that nobody needs, oldest first: all of whose lines are older than the time to keep, are in
 * the newest verified backup there, and have been taken by each standby that is alive. Returns what is left.
 */
export async function trimReplica(options: TrimOptions): Promise<ReplicaExtent> {
  const { store, isStopped } = options
  const objects = (await store.list(OBJECTS))
    .flatMap(({ name, bytes }) => {
      const from = objectFrom(name)
      return from === undefined ? [] : [{ name, bytes, from }]
    })
    .sort((one, other) => one.from - other.from)
  const last = objects.length <= KEPT_MIN ? 0 : await lastNotNeeded(options)
  let trimmed = 0
  for (const { name } of objects.slice(0, -KEPT_MIN)) {
    // An object ends where the next one begins.
    const next = objects[trimmed + 1]
    if (next === undefined || next.from - 1 > last || isStopped()) break
    await store.delete(name)
    trimmed++
  }
  const kept = objects.slice(trimmed)
  return { from: kept[0]?.from, bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0) }
}

async function lastNotNeeded(options: TrimOptions): Promise<number> {
  const { store, exchange, journal, through, keepMs, now, warn } = options
  const since = now() - keepMs
  const old = journal.lastBefore(since)
  if (old === 0) return 0
  const backups = await wholeBackups(store, exchange)
  const verified = verifiedEnd(backups.flatMap(verifiedEndOf), journal, through())
  const marks = await readStandbyMarks(store)
  let last = Math.min(old, verified ?? 0)
  for (const { name, sequence, at } of marks) {
    if (at !== undefined && at < since) {
      await store.delete(name)
      continue
    }
    last = Math.min(last, sequence)
    if (at !== undefined && at <= now() + AHEAD_MAX_MS) continue
    // Its age is not known, and must not keep it for ever. A standby that is alive writes it again.
    await writeStandbyMark(store, { name, sequence, at: now() })
    const why = at === undefined ? 'is damaged' : 'is dated in the future: a clock is wrong'
    warn(`${name} in ${store.place} ${why}. Unless its standby writes it again, it counts from now`)
  }
  return last
}
