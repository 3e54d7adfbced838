import { existsSync } from 'node:fs'
import { secretBytes } from '../../access/secrets.js'
import { listBackups } from '../../backup/backup-list.js'
import type { StoredBackup } from '../../backup/backup-list.js'
import type { BackupStore } from '../../backup/backup-store.js'
import type { Sequence } from '../../core/units.js'
import { wholeOf } from './journal-object.js'
import type { ObjectStore } from './object-log.js'

/** A store of backups that also takes objects on the condition that they are new. */
export type ReplicaStore = BackupStore & ObjectStore

/** By this file a replica is recognised. */
export const MARKER = 'raay-replica.json'
const FORMAT = 1
const MARKER_LENGTH_MAX = 10_000

/** The exchange of a replica, and its first line of the journal, which follows a backup that is there. */
export interface Marker {
  /** The exchange's id: eight hexadecimal digits. */
  readonly exchange: string
  readonly first: Sequence
}

/** Why a place cannot be a replica of this exchange: trying again will not help. For the operator. */
export class ReplicaRefusal extends Error {
  override readonly name = 'ReplicaRefusal'
}

/** Returns a store in which conditional puts can be asked for. Throws ReplicaRefusal. */
export function replicaStore(store: BackupStore): ReplicaStore {
  const { putNew, has } = store
  if (putNew === undefined || has === undefined)
    throw new ReplicaRefusal(`${store.place} cannot be a replica`)
  return store as ReplicaStore
}

/**
 * Refuses a place that does not keep the promise on which all of this rests: of two puts of one name the
 * second fails. And a directory that is not there, which may be a disk that is not mounted.
 */
export async function probe(store: ReplicaStore): Promise<void> {
  const { fills, place } = store
  if (fills !== undefined && !existsSync(fills)) {
    throw new ReplicaRefusal(`${place} is not there: mount its disk, or create the directory`)
  }
  const name = `probe-${secretBytes(8).toString('hex')}`
  const contents = Buffer.from('raay probes whether this name can be taken twice\n')
  try {
    // Nobody else has this name: where it is taken, the answer to an earlier attempt was lost.
    if (!(await store.putNew(name, contents)) && (await store.get(name)) === undefined) {
      throw new Error(`${place} refuses a new file, and does not have it`)
    }
    if (await store.putNew(name, contents)) {
      throw new ReplicaRefusal(
        `${place} lets a file be put twice (it ignores If-None-Match), so two exchanges could both go on: ` +
          'choose a store that keeps conditional writes',
      )
    }
  } finally {
    await store.delete(name).catch(() => undefined)
  }
}

/** Reads the marker of a replica; undefined for a place without one. Throws for a damaged one. */
export async function readMarker(store: Pick<ReplicaStore, 'get' | 'place'>): Promise<Marker | undefined> {
  const contents = await store.get(MARKER)
  if (contents === undefined) return undefined
  const text = (await wholeOf(contents)).toString().slice(0, MARKER_LENGTH_MAX)
  const marker = parsed(text)
  if (marker === undefined)
    throw new ReplicaRefusal(`${MARKER} in ${store.place} is damaged, or of a newer version`)
  return marker
}

/** Writes the marker, unless another was faster; returns the one that is there. */
export async function writeMarker(store: ReplicaStore, marker: Marker): Promise<Marker> {
  const text = JSON.stringify({ raay: 'replica', format: FORMAT, ...marker })
  await store.putNew(MARKER, Buffer.from(`${text}\n`))
  const found = await readMarker(store)
  if (found === undefined) throw new Error(`${store.place} has taken ${MARKER}, and does not have it`)
  return found
}

/** Returns the finished backups of an exchange, newest first, without those found broken. */
export async function wholeBackups(store: ReplicaStore, exchange: string): Promise<StoredBackup[]> {
  const backups = await listBackups(store)
  return backups
    .filter(({ manifest }) => manifest?.exchange === exchange && manifest.verification?.ok !== false)
    .sort((one, other) => (other.manifest?.sequence ?? 0) - (one.manifest?.sequence ?? 0))
}

function parsed(text: string): Marker | undefined {
  try {
    const { raay, format, exchange, first } = JSON.parse(text) as { readonly [field: string]: unknown }
    const isOurs = raay === 'replica' && format === FORMAT && /^[0-9a-f]{8}$/.test(String(exchange))
    return isOurs && Number.isSafeInteger(first)
      ? { exchange: String(exchange), first: first as Sequence }
      : undefined
  } catch {
    return undefined
  }
}
