import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Identity, Recipient } from '../../backup/encryption/age-keys.js'
import type { StoreSettings } from '../../backup/stores/open-store.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { LogFollower } from '../../replication/log-follower.js'
import type { ObjectLog } from '../../replication/objects/object-log.js'
import type { ObjectStandby } from '../../replication/objects/object-standby.js'
import type { Marker, ReplicaStore } from '../../replication/objects/replica-store.js'
import type { Replica } from '../../replication/replica.js'
import type { Sequence } from '../../core/units.js'
import type { DataDirectory } from '../../store/files/data-directory.js'
import { openDataDirectory } from '../../store/files/data-directory.js'
import { IdFile, idText } from '../../store/files/id-file.js'
import { journalPath } from '../../store/files/journal-path.js'
import { exchangeFilesIn } from '../../store/files/pending-restore.js'
import type { JournalEnd } from '../../store/journal.js'
import type { Config } from '../config/config.js'
import type { StandbyLog } from './warm-standby.js'
import { WarmStandby } from './warm-standby.js'

/** Needed by a standby beside the settings of an exchange. */
export interface StandbyOptions {
  /** The secret keys that open an encrypted replica. */
  readonly identities: readonly Identity[]
}

interface PlaceParts extends StandbyOptions {
  readonly config: Pick<Config, 'replica' | 'data'>
  readonly now: () => number
  readonly log: Logger
}

/** A replica in a store, to be followed. */
interface FoundPlace {
  readonly store: ReplicaStore
  readonly marker: Marker
}

/**
 * Fills the data directory of a standby that follows a replica in a store: an empty one gets the newest
 * backup there. So does one whose journal the replica has gone on without: its last lines are put into
 * `orphans/`, and its files are set aside. A standby that follows a stream takes all from that.
 */
export async function fillStandby(parts: PlaceParts): Promise<void> {
  const { config, now, log } = parts
  if (config.replica === undefined) return
  const place = await findPlace(config.replica, parts)
  const directory = openDataDirectory(config.data, 'exchange')
  let isThere = false
  let orphans: number | undefined
  try {
    isThere = exchangeFilesIn(directory.path).length > 0
    if (isThere && existsSync(journalPath(directory.file))) {
      orphans = await orphansOf(place, directory.file, parts.identities)
    }
  } finally {
    directory.release()
  }
  if (isThere && orphans === undefined) return
  const { newestBase } = await import('../../replication/objects/fetch-replica.js')
  const { restoreBackup } = await import('../../backup/restore-backup.js')
  const { examineCopy } = await import('../../backup/examination.js')
  const { store, marker } = place
  const base = await newestBase(store, marker, await logOf(place, parts.identities))
  const options = { directory: config.data, overwrite: isThere, now, examine: examineCopy }
  const { aside } = await restoreBackup(store, base, options)
  log.info({ backup: base.name }, 'begins from the newest backup of the replica')
  if (aside !== undefined) {
    const why =
      orphans === 0
        ? 'the replica no longer has the batches that this exchange lacks: its files are set aside'
        : 'the replica went on without the last batches of this exchange: set aside'
    log.warn({ aside, orphans }, why)
  }
}

/**
 * Counts the lines that the replica went on without, and copies them; undefined if this journal can follow as
 * it is. 0 if the replica no longer has what follows it.
 */
async function orphansOf(
  { store, marker }: FoundPlace,
  file: string,
  identities: PlaceParts['identities'],
): Promise<number | undefined> {
  const { JournalReader } = await import('../../replication/journal-reader.js')
  const { LocalJournal } = await import('../../replication/local-journal.js')
  const { forkOf } = await import('../../replication/objects/fork-of.js')
  const id = idText(new IdFile(file).read() ?? 0)
  if (id !== marker.exchange) {
    throw new Error(
      `${store.place} is a replica of exchange ${marker.exchange}, and this data directory has ${id}: ` +
        'name an empty one',
    )
  }
  const reader = new JournalReader(file)
  try {
    const { end } = reader
    const log = await logOf({ store, marker }, identities)
    const first = (await log.first()) ?? 0
    // It was away for longer than the place keeps batches, and needs a backup.
    if (first > end.sequence + 1) return 0
    const shared = await forkOf(log, { end, hashOf: sequence => reader.hashOf(sequence) })
    if (shared === undefined) {
      const last = (await log.last())?.end.sequence ?? marker.first - 1
      if (last >= end.sequence) return undefined
      throw new Error(
        `this exchange has batches up to ${end.sequence}, and ${store.place} up to ${last}: ` +
          'start it with raay start, which puts them there, or name an empty data directory',
      )
    }
    const journal = new LocalJournal(file)
    try {
      return journal.copyOrphans(shared)
    } finally {
      journal.close()
    }
  } finally {
    reader.close()
  }
}

async function findPlace(
  settings: StoreSettings,
  { identities, now }: Pick<PlaceParts, 'identities' | 'now'>,
): Promise<FoundPlace> {
  const { openStore } = await import('../../backup/stores/open-store.js')
  const { readMarker, replicaStore } = await import('../../replication/objects/replica-store.js')
  const store = replicaStore(await openStore(settings, { folder: '', now, identities, mustExist: true }))
  const marker = await readMarker(store)
  if (marker === undefined)
    throw new Error(`${store.place} is no replica: name what the exchange replicates to`)
  return { store, marker }
}

async function logOf(
  { store, marker }: FoundPlace,
  identities: readonly Identity[],
  settings?: StoreSettings,
  own: () => ObjectStandby | undefined = () => undefined,
): Promise<ObjectLog> {
  const { ObjectLog } = await import('../../replication/objects/object-log.js')
  const keys = { recipients: (settings?.recipients ?? []) as readonly Recipient[], identities }
  const behind = marker.first - 1
  return new ObjectLog({
    ...{ store, exchange: marker.exchange, keys, behind },
    own: sequence => own()?.own(sequence),
  })
}

interface StandbyParts extends Omit<LogParts, 'end'> {
  readonly directory: Pick<DataDirectory, 'file'>
  readonly exchange: Exchange
  readonly watch: () => number
  readonly begun: () => Promise<void>
  readonly leadCompanions: (epoch: number) => Promise<void>
}

interface LogParts extends PlaceParts {
  /** The stream that is followed; undefined for a replica in a store. */
  readonly replica: Replica | undefined
  /** The last line of the exchange. */
  readonly end: JournalEnd
  readonly fail: (error: Error) => void
}

/** Opens what follows the log of another exchange, not started yet. */
export async function openStandby(parts: StandbyParts): Promise<WarmStandby> {
  const { directory, ...given } = parts
  const { JournalReader } = await import('../../replication/journal-reader.js')
  const reader = new JournalReader(directory.file)
  const { end } = reader
  reader.close()
  return new WarmStandby({ ...given, end, standbyLog: await openStandbyLog({ ...given, end }) })
}

/** Opens the log that a standby follows. */
async function openStandbyLog(parts: LogParts): Promise<StandbyLog> {
  const { replica, config, identities, end, now, fail } = parts
  if (replica !== undefined) {
    return {
      follow: follower => replica.follow(follower),
      promote: async () => replica.ask(),
      withdraw: () => replica.withdraw(),
      close: async () => replica.unfollow(),
    }
  }
  if (config.replica === undefined) throw new Error('a standby needs a log to follow')
  const place = await findPlace(config.replica, parts)
  const { ObjectStandby } = await import('../../replication/objects/object-standby.js')
  const { standbyMarkName, writeStandbyMark } = await import('../../replication/objects/standby-mark.js')
  const { store } = place
  const name = standbyMarkName(config.data)
  let standby: ObjectStandby | undefined
  const log = await logOf(place, identities, config.replica, () => standby)
  return {
    follow: (follower: LogFollower) => {
      const mark = (sequence: Sequence) => writeStandbyMark(store, { name, sequence, at: now() })
      standby = new ObjectStandby({ log, follower, from: end, mark, fail })
      standby.start()
    },
    promote: async () => {
      await standby?.promote()
      await store.delete(name).catch(() => undefined)
    },
    withdraw: async () => (await standby?.withdraw()) ?? 'withdrawn',
    close: async () => standby?.stop(),
  }
}
