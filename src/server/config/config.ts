import { BlockList } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { StoreSettings } from '../../backup/stores/open-store.js'
import type { Amount } from '../../core/units.js'
import type { FeeSettings } from '../../exchange/markets/fee-rates.js'
import type { FollowerMode } from '../../follower/batch-source.js'
import type { ReplicationSettings } from '../../replication/replica-messages.js'
import type { BackupPlan } from '../backup-schedule.js'
import type { AccessConfig } from './access-config.js'
import { readAccess } from './access-config.js'
import { readBackups, readReplica } from './backup-config.js'
import type { NetworkConfig } from './network-config.js'
import { isLoopback, readNetwork } from './network-config.js'
import { readReplication } from './replication-config.js'
import { RUPEES } from './setting-types.js'
import type { FileSettings } from './setting-values.js'
import { ConfigError, SettingValues } from './setting-values.js'
import type { SettingTexts } from './settings.js'
import type { SiteConfig } from './site-config.js'
import { readSite } from './site-config.js'
import { folded } from '../../store/folded.js'

const DAY_MS = 86_400_000

/** The configuration of an exchange; every setting has a default. */
export interface Config {
  readonly host: string
  readonly port: number
  /** The data directory. */
  readonly data: string
  readonly shardCount: number
  readonly startingBalance: Amount
  /** How the tables get their rows. */
  readonly follower: FollowerMode
  readonly queueLengthMax: number
  /** Hours between verifications of the whole file; 0 for none. */
  readonly verifyEveryHours: number
  /** The place for backups, and the keys that open them. */
  readonly backups: StoreSettings
  readonly backupPlan: BackupPlan
  /** The log that gets each batch; undefined for none. */
  readonly replication: ReplicationSettings | undefined
  /** A standby that has not had all of its log for longer is not to be read. */
  readonly standbyLagMaxMs: number
  /** The place that gets the journal, behind the exchange; undefined for none. */
  readonly replica: StoreSettings | undefined
  /** How long that place keeps batches that a backup there has. */
  readonly replicaKeepMs: number
  readonly eventsMax: number
  /** The fee rates of events that have none of their own. */
  readonly fees: FeeSettings
  /** The budget of the house quotes of each new event or group; undefined for none. */
  readonly houseLiquidity: Amount | undefined
  /** The most that all house quotes together may be given; undefined for no limit. */
  readonly houseLiquidityMax: Amount | undefined
  /** How callers are identified. */
  readonly access: AccessConfig
  /** How users reach the exchange. */
  readonly network: NetworkConfig
  /** Limits by user, key and address; `auto` turns them off in open mode on this machine. */
  readonly rateLimits: 'auto' | 'on' | 'off'
  /** Replaces the operator's key; never shown or logged. */
  readonly adminToken: string | undefined
  /** The most open connections, in total and per address. */
  readonly connectionsMax: number
  readonly connectionsPerAddressMax: number
  /** Proxies that speak for many clients, so their connections are not counted. */
  readonly trustedProxies: BlockList | undefined
  /** Networks of the operator's own that webhooks may reach. */
  readonly webhookAllow: BlockList
  /** Logs every request, with its path but never its query, headers or body. */
  readonly accessLog: boolean
  /** Serves Socket.IO as well. */
  readonly socketIo: boolean
  /** The look, the language and the time zone of the pages. */
  readonly site: SiteConfig
  /** Undefined unless demo mode is on. */
  readonly demo: DemoConfig | undefined
}

/** The settings of demo mode: a generated history, and bots that trade. */
export interface DemoConfig {
  /** The same seed gives the same history. */
  readonly seed: number
  /** The most bot turns per second. */
  readonly rate: number
  /** Deletes the existing demo first. */
  readonly isFresh: boolean
  /** Deletes the demo and starts nothing. */
  readonly isRemoved: boolean
}

const BACKUP_EVERY_HOURS = 24
/** The demo's directory within the data directory, unless the option names another. */
const DEMO_FOLDER = 'demo'

/**
 * Reads a configuration from options, variables, a file and defaults, in this order of precedence. Throws
 * ConfigError.
 */
export function readConfig(flags: SettingTexts, env: NodeJS.ProcessEnv, file?: FileSettings): Config {
  return configOf(SettingValues.of(flags, env, file))
}

/** Checks the settings, and each with the others. Throws ConfigError. */
export function configOf(values: SettingValues): Config {
  const host = values.text('host')
  const access = readAccess(values)
  if (access.mode === 'open' && !isLoopback(host) && !access.allowsOpenNetwork) {
    throw new ConfigError(
      `${values.nameOf('host')} is ${host}: in open mode anyone who reaches it may trade as any user; ` +
        'choose --auth accounts or --auth jwt, or give --allow-open-network',
    )
  }
  const balance = values.read('starting-balance')
  return {
    host,
    port: values.read('port'),
    data: directoryOf(values),
    shardCount: values.read('shards') ?? Math.max(1, availableParallelism() - 1),
    startingBalance: balance ?? RUPEES.read(access.mode === 'open' ? '1000000' : '0'),
    verifyEveryHours: values.read('verify-every'),
    follower: values.read('follower'),
    queueLengthMax: values.read('queue-length-max'),
    connectionsMax: values.read('connections-max'),
    connectionsPerAddressMax: values.read('connections-per-address-max'),
    trustedProxies: values.read('trusted-proxy'),
    webhookAllow: values.read('webhook-allow') ?? new BlockList(),
    backups: readBackups(values),
    backupPlan: readBackupPlan(values),
    replication: readReplication(values, readDemo(values) !== undefined),
    standbyLagMaxMs: 1000 * values.read('standby-lag'),
    replica: readReplica(values, readDemo(values) !== undefined),
    replicaKeepMs: values.read('replicate-keep') * DAY_MS,
    eventsMax: values.read('events-max'),
    fees: readFees(values),
    houseLiquidity: values.read('house-liquidity') || undefined,
    houseLiquidityMax: values.read('house-liquidity-max'),
    access,
    network: readNetwork(values),
    rateLimits: values.read('rate-limits'),
    adminToken: values.read('admin-token'),
    accessLog: values.read('access-log'),
    socketIo: values.read('socket-io'),
    site: readSite(values),
    demo: readDemo(values),
  }
}

function readBackupPlan(values: SettingValues): BackupPlan {
  const isDemo = readDemo(values) !== undefined
  return {
    everyHours: values.read('backup-every') ?? (isDemo ? 0 : BACKUP_EVERY_HOURS),
    keep: values.read('backup-keep'),
  }
}

/** Returns the data directory; a demo's is within it, unless the option names another. */
export function directoryOf(values: SettingValues): string {
  const { text, origin } = values.of('data')
  return readDemo(values) === undefined || origin === 'option' ? text : join(text, DEMO_FOLDER)
}

/** Returns the settings of demo mode if any of the three switches turns it on. */
function readDemo(values: SettingValues): DemoConfig | undefined {
  const isAsked = values.read('demo')
  const isFresh = values.read('demo-fresh')
  const isRemoved = values.read('demo-remove')
  if (!isAsked && !isFresh && !isRemoved) return undefined
  return { seed: values.read('demo-seed'), rate: values.read('demo-rate'), isFresh, isRemoved }
}

/** Reads the rates of events that have none of their own. */
function readFees(values: SettingValues): FeeSettings {
  const rows = values.read('fee-category') ?? []
  const categories = new Map(rows.map(({ category, ...rates }) => [folded(category), rates]))
  return { taker: values.read('fee-taker'), maker: values.read('fee-maker'), categories }
}
