import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { copyExchange } from '../../backup/backup-copy.js'
import { hasRoomFor } from '../../backup/backup-room.js'
import type { FinishedBackup } from '../../backup/make-backup.js'
import { makeBackup } from '../../backup/make-backup.js'
import type { Sequence, TimeMs } from '../../core/units.js'
import { freeBytesIn } from '../../store/disk-room.js'
import type { HeldMarkFile } from '../held-mark.js'
import type { LogEnd } from '../journal-log.js'
import type { JournalReader } from '../journal-reader.js'
import type { ObjectLog } from './object-log.js'
import type { Marker, ReplicaStore } from './replica-store.js'
import { MARKER, probe, ReplicaRefusal, readMarker, wholeBackups, writeMarker } from './replica-store.js'

/** An exchange that is to be replicated to a store. */
export interface Joining {
  readonly store: ReplicaStore
  readonly log: ObjectLog
  readonly journal: Pick<JournalReader, 'end' | 'hashOf'>
  /** Says in which place the exchange had a copy when it was started last. */
  readonly mark: Pick<HeldMarkFile, 'read' | 'write'>
  /** The exchange's id: eight hexadecimal digits. */
  readonly exchange: string
  /** The tables of the exchange, and the directory in which copies are made. */
  readonly file: string
  readonly stage: string
  readonly version: string
  readonly now: () => number
}

/** The marker that a place has, and the last line there. */
export interface Meeting {
  readonly marker: Marker | undefined
  readonly held: LogEnd | undefined
}

/** Looks at a place. Throws ReplicaRefusal if it is another's, or if another exchange went on from there. */
export async function meetReplica(joining: Joining): Promise<Meeting> {
  const { store, log, exchange } = joining
  await probe(store)
  const marker = await readMarker(store)
  if (marker !== undefined && marker.exchange !== exchange) {
    throw new ReplicaRefusal(
      `${store.place} is a replica of exchange ${marker.exchange}, and this one is ${exchange}: ` +
        'name an empty place',
    )
  }
  const last = await log.last()
  if (last === undefined) {
    if (await isEmptied(joining, marker)) throw new ReplicaRefusal(emptied(store))
    return { marker, held: undefined }
  }
  if (marker === undefined) throw new ReplicaRefusal(`${store.place} has batches, but not what they are of`)
  const judged = log.judge(last)
  if (judged.kind === 'fenced') throw new ReplicaRefusal(judged.reason)
  return { marker, held: last.end }
}

/** Makes a place a replica unless it is: first a backup is put there. Returns the last line there. */
export async function joinReplica(joining: Joining, meeting: Meeting): Promise<LogEnd> {
  const end = await joined(joining, meeting)
  note(joining, 'place', end.sequence)
  return end
}

/** Without a note a later start would begin another copy in the empty mount point of this one. */
function note({ mark, store }: Joining, state: PlaceState, sequence: Sequence): void {
  if (mark.write({ log: markOf(store, state), sequence })) return
  throw new Error(`the disk of the exchange does not take the note that ${store.place} has its copy`)
}

/** A place that has the copy, or is to have it behind a backup that is there. */
type PlaceState = 'place' | 'begun'

/** Returns the name of a place in the mark of the exchange, which has no spaces. */
function markOf({ place }: ReplicaStore, state: PlaceState = 'place'): string {
  return `${state}:${createHash('sha256').update(place).digest('hex').slice(0, 16)}`
}

/** Returns true if a copy was begun behind a backup that is not there: it may have its marker, elsewhere. */
async function lacksBegun(joining: Joining): Promise<boolean> {
  const begun = joining.mark.read(markOf(joining.store, 'begun'))
  return begun !== undefined && !(await hasBackup(joining, sequence => sequence === begun))
}

/** Returns true if a place without batches lacks what the exchange has put there, or has a marker alone. */
async function isEmptied(joining: Joining, marker: Marker | undefined): Promise<boolean> {
  const { store, mark } = joining
  const isWhole = mark.read(markOf(store)) !== undefined
  if (marker === undefined) return isWhole || (await lacksBegun(joining))
  const isBegun = mark.read(markOf(store, 'begun')) !== undefined
  // Batches follow a backup. Without one, the marker was put just as the disk went.
  return (isWhole || isBegun) && !(await hasBackup(joining, sequence => sequence >= marker.first - 1))
}

async function hasBackup(
  { store, exchange }: Joining,
  isIt: (sequence: number) => boolean,
): Promise<boolean> {
  return (await wholeBackups(store, exchange)).some(({ manifest }) => isIt(manifest?.sequence ?? 0))
}

const emptied = ({ place }: ReplicaStore) =>
  `${place} had the copy of this exchange, and is empty: mount its disk, or delete ` +
  'raay.replicated in the data directory to begin a new copy there'

async function joined(joining: Joining, { marker, held }: Meeting): Promise<LogEnd> {
  if (held !== undefined) return held
  const { first } = marker ?? (await beginReplica(joining))
  const sequence = (first - 1) as Sequence
  const hash = joining.journal.hashOf(sequence)
  const { store, log } = joining
  if (hash !== undefined) {
    log.begin(MARKER, { sequence, hash })
    return { sequence, hash }
  }
  const { place } = store
  throw new ReplicaRefusal(`${place} begins at batch ${first}, which this exchange has not reached`)
}

async function beginReplica(joining: Joining): Promise<Marker> {
  const { store, journal, exchange } = joining
  // It is tried again, maybe after its disk went.
  if (await lacksBegun(joining)) throw new Error(emptied(store))
  const kept = (await wholeBackups(store, exchange)).find(({ manifest }) => {
    const { sequence = 0, journal_hash: hash = null } = manifest ?? {}
    return hash !== null && journal.hashOf(sequence as Sequence)?.toString('hex') === hash
  })
  const { manifest } = kept ?? (await makeWhereRoom(joining))
  const sequence = (manifest?.sequence ?? 0) as Sequence
  note(joining, 'begun', sequence)
  const marker = { exchange, first: (sequence + 1) as Sequence }
  const found = await writeMarker(store, marker)
  if (found.exchange !== exchange) {
    throw new ReplicaRefusal(`${store.place} has just become a replica of exchange ${found.exchange}`)
  }
  // Its disk may have gone just before. A later start would go on from the marker under its mount point.
  if (await lacksBegun(joining)) {
    await store.delete(MARKER)
    throw new Error(emptied(store))
  }
  return found
}

async function makeWhereRoom({ store, file, stage, version, now }: Joining): Promise<FinishedBackup> {
  const room = { state: 'ok', freeBytes: freeBytesIn(dirname(file)) } as const
  if (!(await hasRoomFor('scheduled', file, store, room))) {
    throw new Error('there is too little room on the disk for the first backup of the replica')
  }
  const order = { file, stage, reason: 'asked', version, at: now() as TimeMs } as const
  return makeBackup(store, order, copyExchange)
}
