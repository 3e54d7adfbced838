import type { By } from '../../core/signed.js'
import type { Backup } from './backup-view.js'
import type { DoctorReport } from './operator-shape.js'

/** State of the exchange at one moment. */
export interface HealthReading {
  readonly orders: OrderReading
  readonly shards: readonly { readonly queueLength: number; readonly batchesInFlight: number }[]
  /** Requests queued for each reader of the disk. */
  readonly reads: Readonly<Record<'pages' | 'operator' | 'lookups' | 'feeds', ReadLoad>>
  readonly users: number
  readonly markets: number
  readonly openOrders: number
  /** The sizes of the tables' file, of the journal's, of their logs, and of the archive. */
  readonly file: Readonly<Record<'database' | 'wal' | 'journal' | 'journalWal' | 'archive', number>>
  readonly disk: {
    readonly state: 'ok' | 'low' | 'full'
    readonly freeBytes: number
    readonly reserveBytes: number
  }
  /** Set while the clock is held: it jumped ahead, and the exchange keeps its own time. */
  readonly clock: { readonly heldSince: number | undefined; readonly aheadMs: number }
  readonly backups: {
    readonly last: Backup | undefined
    readonly lastVerified: Backup | undefined
    readonly failure: { readonly at: number; readonly message: string } | undefined
    /** The name of the backup that is being verified. */
    readonly verifying: string | undefined
  }
  /** The last batch applied in memory. */
  readonly sequence: number
  /** The last batch in the tables, the commands that they lack, and the reads that wait for these. */
  readonly tables: Readonly<Record<'reached' | 'behind' | 'waiting', number>>
}

interface OrderReading {
  /** Since the start. */
  readonly total: number
  /** In the last whole second, and per second on average over the last minute. */
  readonly perSecond: { readonly second: number; readonly minute: number }
  /** Over the last minute; undefined if there was no order. */
  readonly p50Ms: number | undefined
  readonly p99Ms: number | undefined
}

/** How the exchange was at one moment; latency is undefined where there were no orders. */
export interface HealthPoint {
  readonly at: number
  readonly ordersPerSecond: number
  readonly latencyP99Ms: number | undefined
  /** Commands waiting at all shards. */
  readonly queue: number
  readonly loopDelayMs: number
  readonly connections: number
  readonly memoryBytes: number
  readonly freeBytes: number
}

/** Points of a range of time, the oldest first. */
export interface HealthCurve {
  readonly stepMs: number
  readonly points: readonly HealthPoint[]
}

interface ReadLoad {
  readonly running: number
  readonly waiting: number
  readonly refused: number
}

/** Delay of the main thread, in milliseconds. */
interface LoopDelayReading {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Outcome of the last verification of the whole file. */
export interface VerificationReading {
  /** Start of the verification. */
  readonly at: number
  readonly seconds: number
  /** `failed` if it did not finish. */
  readonly result: 'ok' | 'broken' | 'failed'
  /** The first findings, or why it failed; `count` counts all. */
  readonly findings: readonly string[]
  readonly count: number
}

/** How far a copy of the journal elsewhere is. */
export interface ReplicationReading {
  /** The last batch that it is known to hold; undefined until its place has answered. */
  readonly through: number | undefined
  /** Why the last attempt failed; undefined if it did not. */
  readonly failure: { readonly at: number; readonly message: string } | undefined
  /** Why old batches are not deleted there; undefined if they are. */
  readonly trimFailure?: { readonly at: number; readonly message: string } | undefined
  /** The first batch that is kept there, and the size of all; undefined until it was counted. */
  readonly kept?: { readonly from: number | undefined; readonly bytes: number } | undefined
}

/** The role of an exchange, and if it does not lead, how far it is behind the one that does. */
export interface Standing {
  readonly leads: boolean
  /** The last batch in memory. */
  readonly sequence: number
  /** The last batch of the log; undefined until the log has said it, and for an exchange that leads. */
  readonly logEnd: number | undefined
  /** How long ago memory included all that the log had; 0 for an exchange that leads. */
  readonly lagMs: number
  /** Why the log does not answer; undefined if it does. */
  readonly failure: string | undefined
}

/** Facts that the process knows and the exchange does not. */
export interface Host {
  /** Node's version. */
  readonly node: string
  /** Milliseconds since the server began to listen. */
  uptimeMs(): number
  /** Counts open TCP connections, of any protocol. */
  connections(): number
  /** Counts the bytes held in memory until clients read them. */
  unsentBytes(): number
  sockets(): number
  subscriptions(): number
  loopDelay(): LoopDelayReading
  /** Returns when the next scheduled backup is due; undefined without a schedule. */
  nextBackupAt(): number | undefined
  standing(): Standing
  /** Returns true for a standby that is too far behind to be read, or has not heard how far it is. */
  isBehind(): boolean
  /** Returns how far the copy of the journal elsewhere is; undefined without one. */
  replication(): ReplicationReading | undefined
  /** Makes a standby lead; resolves to the last batch. Rejects with the reason why it does not. */
  promote(by: Omit<By, 'fields'>): Promise<number>
  /** Returns the latest verification; undefined until the first has ended. */
  verification(): VerificationReading | undefined
  /** Examines the machine and the files; callers within ten seconds share the result. */
  examine(): Promise<DoctorReport>
  /** Returns how the exchange was over the last hour or day, since the start at most. */
  curve(range: 'hour' | 'day'): HealthCurve
  /** Counts the answers with 401, 403, 421, 429 and 5xx since the start, by status. */
  refusals(): ReadonlyMap<number, number>
  /** When the certificate in use expires, in milliseconds since 1970; undefined without TLS of its own. */
  certificateValidTo(): number | undefined
}
