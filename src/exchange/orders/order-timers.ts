import type { Command } from '../../core/command.js'
import { EXTERNAL } from '../../core/ledger.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { LastOrder, OrderTimer } from '../../core/order-timer.js'
import type { AccountNumber, MarketCode, OrderNumber, TimeMs } from '../../core/units.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { AccountOpening } from '../accounts/account-opening.js'
import type { CapacityRefusal } from '../capacity.js'
import type { CommandParts } from '../command-parts.js'
import type { Desk } from '../desk.js'
import type { Sources } from '../sources.js'
import type { ArrivalLane } from './arrival-lane.js'
import type { BulkCancels } from './bulk-cancels.js'

/** The most timers that fire at a time; the others follow. */
const FIRING_MAX = 256

/** A user's timer to set. */
export interface TimerRequest {
  readonly userId: string
  /** 0 to switch it off. */
  readonly timeoutMs: number
  /** Undefined for all markets. */
  readonly markets: readonly MarketCode[] | undefined
}

interface TimerParts {
  readonly lane: ArrivalLane
  readonly accounts: AccountOpening
  readonly bulk: BulkCancels
}

/** A timer that fires. */
interface Firing {
  /** Resolves when its end is committed: the orders to cancel are known then, also to a restart. */
  readonly committed: Promise<void>
  /** Only its cancels go on: the timer may have been set again, and have ended again. */
  isCommitted: boolean
  /** Resolves when the cancels are done, or found no room. */
  readonly done: Promise<void>
}

/**
 * The timers that cancel users' orders unless they are set again in time. A timer fires in its place in the
 * order of arrival: of its user's orders, those that arrived before are cancelled. Its journal entry names
 * them, and later orders of the user wait for it, so that a start after a crash cancels the same ones.
 */
export class OrderTimers {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #lane: ArrivalLane
  readonly #accounts: AccountOpening
  readonly #bulk: BulkCancels
  readonly #sources: Sources
  /** The users whose timers are being set, and how many times: what they had before no longer fires. */
  readonly #setting = new Map<AccountNumber, number>()
  readonly #firing = new Map<AccountNumber, Firing>()
  /** Users with orders that a timer was to cancel and that found no room. */
  readonly #late = new Set<AccountNumber>()
  /** No timer ends before this time. */
  #earliest = Number.NEGATIVE_INFINITY
  #isStopped = false

  constructor({ desk, shards, sources }: CommandParts, { lane, accounts, bulk }: TimerParts) {
    this.#desk = desk
    this.#shards = shards
    this.#lane = lane
    this.#accounts = accounts
    this.#bulk = bulk
    this.#sources = sources
  }

  /** Fires what became due while the exchange was stopped, and cancels what a crash left open. */
  async start(): Promise<void> {
    for (const [account, { fired }] of this.#desk.timers) {
      if (this.#openOf(account, fired).length > 0) this.#late.add(account)
      else this.#forget(account)
    }
    for (this.advance(); this.#firing.size > 0; this.#fireDue()) await this.drain()
  }

  /** Forgets the timers that are off and whose orders have ended, of an exchange that follows another one. */
  forgetAll(): void {
    for (const account of [...this.#desk.timers.keys()]) this.#forgetOrLook(account)
  }

  /** Notes the timers that batches of the other exchange have switched off, or fired. */
  afterFollowed(commands: readonly Command[]): void {
    for (const command of commands) {
      if (command.type === 'SET_TIMER' || command.type === 'FIRE_TIMER') this.#late.add(command.account)
    }
  }

  #forgetOrLook(account: AccountNumber): void {
    this.#late.delete(account)
    this.#forget(account)
    if (this.#desk.timers.get(account)?.endsAt === undefined && this.#desk.timers.has(account))
      this.#late.add(account)
  }

  /** Sets a user's timer; resolves when that is on disk. The user's account is opened if they are new. */
  async set({ userId, timeoutMs, markets }: TimerRequest): Promise<OrderTimer | CapacityRefusal> {
    const isNew = this.#accounts.numberOf(userId) === undefined
    if (isNew && this.#desk.growthRefusal !== undefined) return this.#desk.growthRefusal
    const found = this.#accounts.accountOf(userId, EXTERNAL)
    if (typeof found === 'string') return found
    const { account, opened } = typeof found === 'number' ? { account: found, opened: undefined } : found
    const ready = this.firing(account) ?? opened
    return this.#lane.enter(() => this.#set(account, timeoutMs, markets), { ready })
  }

  async #set(
    account: AccountNumber,
    timeoutMs: number,
    markets: TimerRequest['markets'],
  ): Promise<OrderTimer | CapacityRefusal> {
    if (this.#desk.endingRefusal !== undefined) return this.#desk.endingRefusal
    if (this.#shards.isFullForEnding(EXTERNAL)) return 'queue_full'
    const endsAt = (this.#sources.now() + timeoutMs) as TimeMs
    const isOff = timeoutMs === 0
    const id = this.#sources.messageId()
    const limited = markets === undefined ? {} : { markets }
    this.#setting.set(account, (this.#setting.get(account) ?? 0) + 1)
    const timer = isOff ? {} : { endsAt, ...limited }
    await this.#shards.submit(EXTERNAL, { type: 'SET_TIMER', id, account, ...timer })

    // After this point the timer is set.
    const left = (this.#setting.get(account) ?? 1) - 1
    if (left === 0) this.#setting.delete(account)
    else this.#setting.set(account, left)
    if (!isOff) this.#earliest = Math.min(this.#earliest, endsAt)
    this.#forget(account)
    return { endsAt: isOff ? undefined : endsAt, markets: isOff ? undefined : markets, fired: [] }
  }

  /**
   * Resolves once an order of a user may be decided; undefined if that is now. An order that arrives after
   * the end of a timer waits for it to fire, and stays.
   */
  firing(account: AccountNumber): Promise<void> | undefined {
    const { timers } = this.#desk
    if (timers.size === 0) return undefined
    const known = this.#firing.get(account)
    if (known !== undefined && !known.isCommitted) return known.committed
    return this.#isDue(account) ? this.#fire(account).committed : undefined
  }

  /** Fires the timers that are due, and tries again where there was no room; to be called every second. */
  advance(): void {
    const late = [...this.#late]
    if (!this.#desk.leads) {
      for (const account of late) this.#forgetOrLook(account)
      return
    }
    this.#late.clear()
    for (const account of late) {
      if (!this.#firing.has(account)) this.#follow(account, this.#cancelFired(account))
    }
    this.#fireDue()
  }

  #fireDue(): void {
    if (this.#sources.now() < this.#earliest) return
    let earliest = Number.POSITIVE_INFINITY
    for (const [account, { endsAt }] of this.#desk.timers) {
      if (endsAt === undefined) continue
      const mayFire = this.#firing.size < FIRING_MAX && !this.#firing.has(account)
      if (mayFire && this.#isDue(account)) this.#fire(account)
      else earliest = Math.min(earliest, endsAt)
    }
    this.#earliest = earliest
  }

  /** Cancels nothing more; the next start continues. */
  stop(): void {
    this.#isStopped = true
  }

  /** Waits until the timers that fire have cancelled their orders. */
  async drain(): Promise<void> {
    await Promise.all(Array.from(this.#firing.values(), ({ done }) => done))
  }

  #isDue(account: AccountNumber): boolean {
    const endsAt = this.#desk.timers.get(account)?.endsAt
    return endsAt !== undefined && endsAt <= this.#sources.now() && this.#mayFire(account)
  }

  #mayFire(account: AccountNumber): boolean {
    return !this.#setting.has(account) && !this.#isStopped && this.#desk.endingRefusal === undefined
  }

  #fire(account: AccountNumber): Firing {
    const due = this.#desk.timers.get(account)
    const committed = this.#lane.enterAlways(() => this.#end(account, due))
    return this.#follow(
      account,
      committed.then(() => this.#cancelFired(account)),
      committed,
    )
  }

  /** @param committed absent if the end was committed before */
  #follow(account: AccountNumber, cancelled: Promise<void>, committed?: Promise<void>): Firing {
    const before = this.#firing.get(account)?.done
    const firing: Firing = {
      committed: Promise.resolve(committed),
      isCommitted: committed === undefined,
      done: Promise.all([before, cancelled]).then(() => {
        if (this.#firing.get(account) === firing) this.#firing.delete(account)
        this.#forget(account)
      }),
    }
    void committed?.then(() => {
      firing.isCommitted = true
    })
    this.#firing.set(account, firing)
    return firing
  }

  /**
   * Ends a timer that was due when it entered the lane, unless a request that arrived before has set it
   * again. It asks no clock: that may have gone back, and the order that waits came after the end.
   */
  async #end(account: AccountNumber, due: OrderTimer | undefined): Promise<void> {
    const timer = this.#desk.timers.get(account)
    if (timer === undefined || timer !== due || !this.#mayFire(account)) return
    const last = new Map<MarketCode, OrderNumber>()
    const open = new Set(this.#openOf(account, timer.fired))
    for (const order of this.#bulk.ordersOf(account)) {
      const { market, number } = order
      if (!open.has(order) && timer.markets !== undefined && !timer.markets.includes(market)) continue
      if (number > (last.get(market) ?? 0)) last.set(market, number)
    }
    const id = this.#sources.messageId()
    await this.#shards.submit(EXTERNAL, { type: 'FIRE_TIMER', id, account, upTo: [...last] })
  }

  /** Cancels what a user's timer was to cancel when it last fired. */
  async #cancelFired(account: AccountNumber): Promise<void> {
    if (this.#isStopped) return
    const upTo = this.#desk.timers.get(account)?.fired ?? []
    if (upTo.length === 0) return
    const cancelled = await this.#bulk.cancelAllOf(account, notAfter(upTo), 'timer_ended')
    if (typeof cancelled === 'string' || cancelled.openCount > 0) this.#late.add(account)
  }

  /** Frees a user's timer once it is off and all that it was to cancel has ended. */
  #forget(account: AccountNumber): void {
    const { timers } = this.#desk
    const timer = timers.get(account)
    if (timer === undefined || timer.endsAt !== undefined) return
    const isUnderWay = this.#firing.has(account) || this.#late.has(account) || this.#setting.has(account)
    if (!isUnderWay && this.#openOf(account, timer.fired).length === 0) timers.delete(account)
  }

  /** Returns the orders of a user that are open and no later than some. */
  #openOf(account: AccountNumber, upTo: readonly LastOrder[]): OrderRecord[] {
    return upTo.length === 0 ? [] : this.#bulk.ordersOf(account).filter(notAfter(upTo))
  }
}

/** Tells the orders no later than some from others. */
function notAfter(upTo: readonly LastOrder[]): (order: OrderRecord) => boolean {
  const last = new Map(upTo)
  return ({ market, number }) => number <= (last.get(market) ?? 0)
}
