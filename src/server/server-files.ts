import type { Logger } from 'pino'
import type { HashCost } from '../access/accounts/passwords.js'
import { LIMITS } from '../api/limits.js'
import { fundingRefusal } from '../doors/funding-refusal.js'
import { Exchange } from '../exchange/exchange.js'
import type { HouseBudgets } from '../exchange/house/house-budgets.js'
import type { Sources } from '../exchange/sources.js'
import type { CompanionReplica } from '../replication/companions/companion-replica.js'
import type { LogTrimming } from '../replication/log-trimming.js'
import type { ObjectReplica } from '../replication/objects/object-replica.js'
import type { Replica } from '../replication/replica.js'
import { SiteStore } from '../site/site-store.js'
import { DiskRoom } from '../store/disk-room.js'
import type { Companion } from '../store/files/companion-files.js'
import { companionPath } from '../store/files/companion-files.js'
import type { DataDirectory } from '../store/files/data-directory.js'
import { openDataDirectory } from '../store/files/data-directory.js'
import { IdFile } from '../store/files/id-file.js'
import { backupsOf } from './backup-options.js'
import { allowFirstAccounts, logDoubts } from './companions.js'
import type { Config } from './config/config.js'
import { refuseOtherVersions } from './file-versions.js'
import type { LiveConfig } from './live-config.js'
import { openAccess } from './open-access.js'
import type { CompanionReplicaParts as ReplicaParts } from './open-companion-replica.js'
import { openCompanionReplica } from './open-companion-replica.js'
import { openReplica } from './open-replica.js'
import { openStoreReplica } from './open-store-replica.js'
import type { StandbyOptions } from './standby/open-standby.js'
import { fillStandby, openStandby } from './standby/open-standby.js'
import type { WarmStandby } from './standby/warm-standby.js'
import { startTrimming } from './start-trimming.js'

interface FileOptions {
  readonly config: Config
  readonly version: string
  readonly log: Logger
  readonly fail: (error: Error) => void
  /** Follows another exchange; undefined for one that leads. */
  readonly standby?: StandbyOptions | undefined
  /** Called if another exchange asks this one to make way. */
  readonly asked?: ((by: string) => void) | undefined
  readonly hashCost?: HashCost
  readonly threads?: boolean
}

/** Opened behind the exchange; a standby copies its journal once it leads. */
interface LaterFiles {
  storeReplica: ObjectReplica | undefined
  trimming: LogTrimming | undefined
  standby: WarmStandby | undefined
}

/** The files of a server, open. */
export type ServerFiles = Awaited<ReturnType<typeof openFiles>>

/** Opens the exchange and its companions. */
export async function openFiles(options: FileOptions, live: LiveConfig, sources: Sources) {
  const { config, version, log, fail, standby: standbyOptions, asked = () => undefined } = options
  const isStandby = standbyOptions !== undefined
  const place = { config, now: sources.now, log, identities: standbyOptions?.identities ?? [] }
  if (isStandby) await fillStandby(place)
  const directory = openDataDirectory(config.data, config.demo === undefined ? 'exchange' : 'demo')
  const room = prepareData(directory)
  const backups = await backupsOf({ directory: directory.path, config, version, log, now: sources.now })
  const replica = await openReplica({
    ...{ directory, settings: config.replication, keepMs: config.replicaKeepMs },
    ...{ log, now: sources.now, fail, isStandby, asked },
  })
  const exchange = await Exchange.open({
    file: directory.file,
    threads: options.threads ?? true,
    shardCount: config.shardCount,
    follower: config.follower,
    queueLengthMax: config.queueLengthMax,
    eventsMax: () => live.current.eventsMax,
    startingBalance: config.startingBalance,
    openOrdersMax: config.access.mode === 'open' ? Number.POSITIVE_INFINITY : LIMITS.openOrdersMax,
    limitsOf: userId => opened.accounts.store.limits.of(userId),
    fees: config.fees,
    house: houseBudgets(config, log),
    backups,
    sources,
    room,
    replica,
    standby: isStandby,
    fail,
  })
  const opened = await openCompanions({
    ...{ directory, config, live, sources, exchange, replica, room, log, fail },
    identities: place.identities,
    hashCost: options.hashCost,
  })
  const later = { storeReplica: undefined, trimming: undefined, standby: undefined } as LaterFiles
  const open = { directory, room, replica, exchange, ...opened, ...later }
  const parts = { file: directory.file, config, version, log, now: sources.now, fail }
  const copy = async () => {
    open.storeReplica = await openStoreReplica(parts)
    open.trimming = await startTrimming({ ...parts, directory: directory.path, exchange, replica })
  }
  try {
    if (isStandby)
      open.standby = await openStandby({ ...place, ...open, fail, begun: copy, watch: sources.watch })
    else await copy()
    return open
  } catch (error) {
    await release(open)
    throw error
  }
}

/** Returns the money of the house; a new event that gets none of it is logged. */
function houseBudgets({ houseLiquidity, houseLiquidityMax }: Config, log: Logger): HouseBudgets {
  return {
    ofNew: houseLiquidity,
    budgetMax: houseLiquidityMax,
    onRefused: (refused, outcomesCount) => {
      const { code, group } = refused.request.market.terms
      const { message } = fundingRefusal(refused, outcomesCount)
      log.warn({ event: group ?? code, reason: message }, 'created without house quotes')
    },
  }
}

/** Looks at the files and makes room on the disk before anything else opens them. */
function prepareData({ path, file }: DataDirectory): DiskRoom {
  refuseOtherVersions(file)
  const room = DiskRoom.open(path)
  allowFirstAccounts(file)
  return room
}

/**
 * Closes the files, and fills up the reserve of the disk if there is one. A backup under way reads accounts
 * and site until the exchange has closed.
 */
export async function release(
  files: Pick<
    ServerFiles,
    | 'exchange'
    | 'replica'
    | 'replicated'
    | 'storeReplica'
    | 'trimming'
    | 'standby'
    | 'accounts'
    | 'site'
    | 'directory'
  >,
  room?: DiskRoom,
): Promise<void> {
  const { exchange, replica, replicated, storeReplica, trimming, standby } = files
  const { accounts, site, directory } = files
  trimming?.stop()
  await standby?.close()
  await storeReplica?.close()
  await exchange.close()
  await replica?.close()
  accounts.store.finish()
  await replicated?.close()
  await room?.restore()
  accounts.store.close()
  site.close()
  directory.release()
}

interface CompanionParts extends Omit<ReplicaParts, 'file' | 'now'> {
  readonly directory: DataDirectory
  readonly live: LiveConfig
  readonly sources: Sources
  readonly exchange: Exchange
  readonly replica: Replica | undefined
  readonly room: DiskRoom
  readonly hashCost: HashCost | undefined
}

/**
 * Opens what no order depends on, and what brings its changes elsewhere. Closes the exchange and rejects if
 * that cannot be used, or the keys of tokens cannot be read.
 */
async function openCompanions(parts: CompanionParts) {
  const { directory, live, sources, exchange, replica, room, log, hashCost } = parts
  const { file } = directory
  const { now } = sources
  let replicated: CompanionReplica | undefined
  const stop = async (error: unknown) => {
    await replicated?.close()
    await exchange.close()
    await replica?.close()
    directory.release()
    throw error
  }
  replicated = await openCompanionReplica({ ...parts, file, now }).catch(stop)
  const role = exchange.leads ? ('leads' as const) : ('follows' as const)
  const replication = replicated && role
  const of = { exchange: new IdFile(file).read(), isLenient: live.current.demo !== undefined, replication }
  const opened = await openAccess({
    live,
    directory,
    sources,
    log,
    usersLike: folded => exchange.archive.usersLike(folded),
    heldNow: () => exchange.now(),
    of,
    hashCost,
  }).catch(stop)
  const { access, accounts, onKeyWithdrawn, refresh } = opened
  const site = new SiteStore({ path: companionPath(file, 'site'), ...of, now, room })
  const companions = { accounts: accounts.store.file, site: site.file }
  logDoubts(companions, log)
  const followed = (companion: Companion, tables: readonly string[]) => {
    if (companion === 'site') site.noteFollowed(tables)
    else accounts.store.noteFollowed()
  }
  replicated?.begin({ companions, followed }, exchange.leads)
  const leadCompanions = async (epoch: number) => {
    await replicated?.lead(epoch)
    accounts.store.lead()
    site.lead()
  }
  return { access, accounts, onKeyWithdrawn, refresh, site, companions, replicated, leadCompanions }
}
