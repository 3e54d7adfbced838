import type { OrderRecord } from '../../core/order-record.js'
import type { TransferRow } from '../../core/records/statement-record.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../core/units.js'
import { WorkerThread } from '../../shard/worker-thread.js'
import { openReadOnly } from '../../store/database.js'
import type { KnownBatch } from '../../store/rows/batch-key-rows.js'
import type { OrderKeyRow } from '../../store/rows/order-key-rows.js'
import type { FreshKey, FreshRows } from './fresh-rows.js'
import type { Lookup, LookupAbout, LookupAnswer, LookupQuestion } from './lookup-reader.js'
import { LookupReader } from './lookup-reader.js'
import type { LookupTask } from './lookup-worker.js'
import type { ReadBusy, ReadLoad } from './read-lane.js'

const ENTRY = new URL('./lookup-worker.js', import.meta.url)
/** The most look-ups per task; more would delay those behind them. */
const BATCH_LENGTH_MAX = 512
/** The most waiting look-ups before plain reads are refused. */
const WAITING_MAX = 8192

/** Runs look-ups: in a worker thread, or in this thread in tests. */
export interface LookupExecutor {
  /** Answers all look-ups, in order. */
  find(lookups: readonly Lookup[]): Promise<readonly unknown[]>
  close(): Promise<void>
}

interface Waiting {
  readonly lookup: Lookup
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * Finds single rows that a request needs before it is decided. They have their own reader, so no page read
 * delays them, and all waiting look-ups go to it in one task: a thread takes a few thousand tasks per second,
 * each with many look-ups.
 */
export class Lookups {
  readonly #executor: LookupExecutor
  readonly #fresh: FreshRows
  #waiting: Waiting[] = []
  #work: Promise<void> | undefined
  #running = 0
  #refused = 0

  constructor(executor: LookupExecutor, fresh: FreshRows) {
    this.#executor = executor
    this.#fresh = fresh
  }

  get load(): ReadLoad {
    return { running: this.#running, waiting: this.#waiting.length, refused: this.#refused }
  }

  /** Finds an ended order. */
  order(market: MarketCode, number: OrderNumber): Promise<OrderRecord | ReadBusy | undefined> {
    const fresh = this.#fresh.order(market, number)
    return fresh === undefined ? this.#askIfRoom('findOrder', market, number) : Promise.resolve(fresh)
  }

  /** Returns the order that a client named, if the tables may not have the name yet. */
  freshOrderKey(account: AccountNumber, name: string): FreshKey | undefined {
    return this.#fresh.orderKey(account, name)
  }

  /** Finds the order that a client named, for a plain read. */
  orderKey(account: AccountNumber, name: string): Promise<OrderKeyRow | ReadBusy | undefined> {
    const fresh = this.#fresh.orderKey(account, name)
    return withFresh(fresh, () => this.#askIfRoom('findOrderKey', account, name))
  }

  /** Finds the order that a client named, for a change; as the others, which are bounded by their callers. */
  usedOrderKey(account: AccountNumber, name: string): Promise<OrderKeyRow | undefined> {
    const fresh = this.#fresh.orderKey(account, name)
    return withFresh(fresh, () => this.#ask('findOrderKey', account, name))
  }

  /** Finds a batch by its client's name for it. */
  async batch(name: string): Promise<KnownBatch | undefined> {
    const fresh = this.#fresh.batch(name)
    const stored = await this.#ask('findBatch', name)
    if (fresh === undefined || stored === undefined) return fresh ?? stored
    const places = new Map([...fresh.orders, ...stored.orders].map(place => [place[0], place]))
    return { fingerprint: stored.fingerprint, orders: [...places.values()] }
  }

  transfer(txnId: string): Promise<TransferRow | undefined> {
    const fresh = this.#fresh.transfer(txnId)
    return fresh === undefined ? this.#ask('findTransfer', txnId) : Promise.resolve(fresh)
  }

  /** Looks up a row for a plain read; refuses if too many wait. */
  async #askIfRoom<Q extends LookupQuestion>(
    question: Q,
    ...about: LookupAbout<Q>
  ): Promise<LookupAnswer<Q> | ReadBusy> {
    if (this.#waiting.length < WAITING_MAX) return this.#ask(question, ...about)
    this.#refused++
    return 'reads_full'
  }

  #ask<Q extends LookupQuestion>(question: Q, ...about: LookupAbout<Q>): Promise<LookupAnswer<Q>> {
    return new Promise((resolve, reject) => {
      const lookup: Lookup = [question, ...about]
      this.#waiting.push({ lookup, resolve: resolve as Waiting['resolve'], reject })
      this.#work ??= this.#findAll()
    })
  }

  /** Waits until no look-up is pending. */
  async drain(): Promise<void> {
    while (this.#work !== undefined) await this.#work
  }

  /** Answers pending look-ups, then closes. */
  async close(): Promise<void> {
    await this.drain()
    await this.#executor.close()
  }

  async #findAll(): Promise<void> {
    // Let everything ready in the event loop join the first look-up.
    await new Promise<void>(resolve => setImmediate(resolve))
    while (this.#waiting.length > 0) await this.#findNext()
    this.#work = undefined
  }

  async #findNext(): Promise<void> {
    const batch = this.#waiting.slice(0, BATCH_LENGTH_MAX)
    this.#waiting = this.#waiting.slice(BATCH_LENGTH_MAX)
    this.#running = batch.length
    try {
      const answers = await this.#executor.find(batch.map(({ lookup }) => lookup))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      this.#running = 0
    }
  }
}

/** Returns the fresh row of a name; asks the tables for the fingerprint if only they have it. */
async function withFresh<Answer extends OrderKeyRow | ReadBusy | undefined>(
  fresh: FreshKey | undefined,
  ask: () => Promise<Answer>,
): Promise<Answer | OrderKeyRow> {
  const { market, number, fingerprint } = fresh ?? {}
  if (market === undefined || number === undefined) return ask()
  if (fingerprint !== undefined) return { market, number, fingerprint }
  const stored = await ask()
  return typeof stored === 'object' ? { ...stored, market, number } : stored
}

/**
 * Opens a reader in its own worker thread; resolves when it is ready: a thread terminated while it loads the
 * native SQLite module would crash the whole process.
 */
export async function openThreadedLookups(
  file: string,
  fresh: FreshRows,
  died: (error: Error) => void,
): Promise<Lookups> {
  const thread = new WorkerThread<LookupTask, unknown>('lookups', ENTRY, { workerData: { file }, died })
  await thread.open({ kind: 'open' })
  const executor: LookupExecutor = {
    find: lookups => thread.run({ kind: 'find', lookups }) as Promise<unknown[]>,
    close: async () => {
      await thread.run({ kind: 'close' })
      await thread.close()
    },
  }
  return new Lookups(executor, fresh)
}

/** Opens a reader in the caller's thread, for tests and simulations. */
export function openInlineLookups(file: string, fresh: FreshRows): Lookups {
  const database = openReadOnly(file)
  const reader = new LookupReader(database)
  const executor: LookupExecutor = {
    find: async lookups => reader.answer(lookups),
    close: async () => {
      database.close()
    },
  }
  return new Lookups(executor, fresh)
}
