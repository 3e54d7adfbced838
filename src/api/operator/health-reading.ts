import type { Backup } from './backup-view.js'

/** How the exchange is at one moment. */
export interface HealthReading {
  readonly orders: OrderReading
  readonly shards: readonly { readonly queueLength: number; readonly batchesInFlight: number }[]
  /** The requests in front of each reader of the disk. */
  readonly reads: Readonly<Record<'pages' | 'operator' | 'lookups' | 'feeds', ReadLoad>>
  readonly users: number
  readonly markets: number
  readonly openOrders: number
  readonly file: { readonly database: number; readonly wal: number }
  readonly disk: {
    readonly state: 'ok' | 'low' | 'full'
    readonly freeBytes: number
    readonly reserveBytes: number
  }
  /** Held: it jumped ahead, and the exchange keeps its own time. */
  readonly clock: { readonly heldSince: number | undefined; readonly aheadMs: number }
  readonly lastBackup: Backup | undefined
  /** The last batch that memory includes. */
  readonly sequence: number
}

interface OrderReading {
  /** Since the start. */
  readonly total: number
  /** In the last whole second, and a second's share of the last minute. */
  readonly perSecond: { readonly second: number; readonly minute: number }
  /** Of the last minute; undefined when there was no order. */
  readonly p50Ms: number | undefined
  readonly p99Ms: number | undefined
}

interface ReadLoad {
  readonly running: number
  readonly waiting: number
  readonly refused: number
}

/** How late the main thread was, in milliseconds. */
interface LoopDelayReading {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** How the last verification of the whole file ended. */
export interface VerificationReading {
  /** When it began. */
  readonly at: number
  readonly seconds: number
  /** `failed` if it did not finish. */
  readonly result: 'ok' | 'broken' | 'failed'
  /** The first findings, or why it failed; `count` counts all. */
  readonly findings: readonly string[]
  readonly count: number
}

/** What the process knows and the exchange does not. */
export interface Host {
  /** Node's version. */
  readonly node: string
  /** Since it listens, in milliseconds. */
  uptimeMs(): number
  /** Open TCP connections, whatever is spoken over them. */
  connections(): number
  /** How much waits in memory for clients to read it. */
  unsentBytes(): number
  sockets(): number
  subscriptions(): number
  loopDelay(): LoopDelayReading
  /** Undefined until the first one has ended. */
  verification(): VerificationReading | undefined
}
