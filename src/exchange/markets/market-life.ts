import type { By, Resolution } from '../../core/command.js'
import type { MarketStatus, Outcome } from '../../core/market.js'
import { canMove, keepsOrders } from '../../core/market.js'
import { CLEAR_LENGTH_MAX } from '../../engine/shard-market.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { Desk } from '../desk.js'
import type { Unsent } from '../send-to-market.js'
import { sendToMarket, signed } from '../send-to-market.js'
import type { Sources } from '../sources.js'
import { TRAIL_MS } from './day-trail.js'
import type { DeskMarket } from './desk-market.js'
import { SettlementWalk } from './settlement-walk.js'

/** The most orders of a market that expire at a time. */
const EXPIRIES_MAX = 256
/**
 * The shares of a shard's queue up to which expiries may fill it: by the clock, and ahead of an order to the
 * same market. However many markets have a crowd of them, the others trade on.
 */
const CLOCK_SHARE = 0.125
const ORDER_SHARE = 0.5
/** The most markets with more expiries that are looked at when a part of them is done. */
const CROWDED_MAX = 256

/** The markets looked at in one turn: a millisecond at most. */
const ADVANCED_MAX = 8192

/** An operator's move of a trading market. */
export type MarketMove = 'halt' | 'resume' | 'close'

const OPERATOR_MOVES: Readonly<
  Record<MarketMove, { readonly to: MarketStatus; readonly from: readonly MarketStatus[] }>
> = {
  halt: { to: 'halted', from: ['open'] },
  resume: { to: 'open', from: ['halted'] },
  close: { to: 'closed', from: ['scheduled', 'open', 'halted'] },
}

/** Why a market cannot make a move: its status, and its outcome. */
export interface MoveRefusal {
  readonly status: MarketStatus
  readonly outcome: Outcome | undefined
}

/**
 * Moves markets through their lives: by the clock, by operators and, once a market is closed, by clearing its
 * book and settling its positions in parts. Each part queues behind other work at the shard and pauses
 * afterwards to leave the disk to others. The next part follows from the state alone, so a restart continues
 * where it stopped.
 */
export class MarketLife {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #sources: Sources
  /** Of the markets that are being paid. */
  readonly #walks = new Map<DeskMarket, SettlementWalk>()
  /** Markets with a part in flight. */
  readonly #underWay = new Set<DeskMarket>()
  /** Markets with expiries that wait for room, the one that has waited longest first. */
  readonly #crowded = new Set<DeskMarket>()
  /** Closed markets whose next part waits for disk space. */
  readonly #waitingForRoom = new Set<DeskMarket>()
  /** The number of markets that were over for a day when that was looked at. */
  #fadedCount = 0
  /** True while markets are left to look at in later turns. */
  #isAdvancing = false
  #isStopped = false

  constructor(desk: Desk, shards: ShardPool, sources: Sources) {
    this.#desk = desk
    this.#shards = shards
    this.#sources = sources
  }

  /** Advances the markets neither settled nor voided, and resumes work that had to wait for disk space. */
  advanceAll(): void {
    if (!this.#isAdvancing) this.#advanceFrom(this.#desk.markets.liveNow(), 0)
    const waiting = [...this.#waitingForRoom]
    this.#waitingForRoom.clear()
    for (const market of waiting) this.carryOn(market)
    this.#forgetDays()
  }

  #advanceFrom(markets: readonly DeskMarket[], first: number): void {
    this.#isAdvancing = false
    if (this.#isStopped) return
    const end = first + ADVANCED_MAX
    for (const market of markets.slice(first, end)) this.advance(market)
    if (end >= markets.length) return
    this.#isAdvancing = true
    this.#sources.rest(() => this.#advanceFrom(markets, end))
  }

  /** Frees the trails of the markets whose last trades are older than a day, whether or not they are read. */
  #forgetDays(): void {
    const now = this.#sources.now()
    const { over } = this.#desk.markets
    for (let market = over[this.#fadedCount]; market !== undefined; market = over[++this.#fadedCount]) {
      if ((market.resolved?.at ?? market.terms.endAt) + TRAIL_MS > now) return
      market.day.forgetOld(now)
    }
  }

  /**
   * Sends whatever is due by the clock: the market's start or end, and expired orders. These go in parts,
   * each once the one before is committed, and only while little of the queue is filled, so that crowds leave
   * room for orders and cancels. The market accepts no orders until the last part is queued.
   */
  advance(market: DeskMarket, queueShare = CLOCK_SHARE): void {
    if (this.#desk.endingRefusal !== undefined) return
    const now = this.#sources.now()
    const to = market.dueMove(now)
    if (to !== undefined) this.#move(market, to)
    const { expiring, terms } = market
    this.#crowded.delete(market)
    while (expiring.hasDue(now)) {
      if (market.expiriesInFlight >= EXPIRIES_MAX || this.#shards.isFilled(terms.code, queueShare)) {
        this.#crowded.add(market)
        return
      }
      const number = expiring.takeDue(now)?.number
      if (number === undefined) return
      market.expiriesInFlight++
      const expiry = { type: 'CANCEL_ORDER', number, reason: 'order_expired' } as const
      void this.#send(market, expiry).then(() => this.#endExpiry(market))
    }
  }

  #endExpiry(market: DeskMarket): void {
    market.expiriesInFlight--
    if (market.expiriesInFlight > 0 || this.#crowded.size === 0) return
    this.#sources.rest(() => {
      if (this.#isStopped) return
      for (const crowded of [...this.#crowded].slice(0, CROWDED_MAX)) this.advance(crowded)
    })
  }

  /** Advances a market before an arriving order; returns true if everything due is queued ahead of it. */
  isReadyForOrder(market: DeskMarket): boolean {
    this.advance(market, ORDER_SHARE)
    return !market.expiring.hasDue(this.#sources.now())
  }

  /** Halts, resumes or closes a market. Resolves when it is committed; repeating a move succeeds. */
  async move(market: DeskMarket, move: MarketMove, by?: By): Promise<MoveRefusal | undefined> {
    this.advance(market)
    const { to, from } = OPERATOR_MOVES[move]
    if (market.pendingStatus !== to) {
      if (!from.includes(market.pendingStatus)) return refusal(market)
      this.#move(market, to, by)
    }
    await market.moved
    return undefined
  }

  /** Sets the outcome. Resolves when it is committed; payouts follow. */
  async resolve(market: DeskMarket, resolution: Resolution, by?: By): Promise<MoveRefusal | undefined> {
    this.advance(market)
    const { outcome } = resolution
    if (market.pendingOutcome !== outcome) {
      const to = outcome === 'void' ? 'voided' : 'resolved'
      if (market.pendingOutcome !== undefined || !canMove(market.pendingStatus, to)) return refusal(market)
      market.pendingStatus = to
      market.pendingOutcome = outcome
      market.moved = this.#send(market, { type: 'RESOLVE_MARKET', ...resolution, ...signed(by) })
    }
    await market.moved
    return undefined
  }

  /** Sends the next part of a closed market's work, unless one is in progress. */
  carryOn(market: DeskMarket): void {
    if (this.#isStopped || this.#underWay.has(market)) return
    const part = this.#nextPart(market)
    if (part === undefined) return
    this.#underWay.add(market)
    const next = () => {
      this.#underWay.delete(market)
      this.carryOn(market)
    }
    void this.#send(market, part).then(() => this.#sources.rest(next))
  }

  /** Stops sending parts; the next start continues. */
  stop(): void {
    this.#isStopped = true
  }

  #nextPart(market: DeskMarket): Unsent | undefined {
    const { status, outcome } = market.progress
    if (keepsOrders(status)) return undefined
    if (this.#desk.endingRefusal !== undefined) return this.#waitForRoom(market)
    if (market.openOrders.size > 0) return { type: 'CLEAR_BOOK', length: CLEAR_LENGTH_MAX }
    if (outcome === undefined) return undefined
    if (status === 'settled') this.#end(market)
    if (market.pendingStatus === 'settled') return undefined
    // Payouts make the file grow: they wait for disk space.
    if (this.#desk.growthRefusal !== undefined) return this.#waitForRoom(market)

    const positions = this.#walkOf(market, outcome).next()
    if (positions.length > 0) {
      for (const [account, , , , held] of positions) this.#desk.ledger.hold(account, held)
      return { type: 'SETTLE_POSITIONS', positions }
    }
    if (outcome === 'void') {
      this.#end(market)
      return undefined
    }
    market.pendingStatus = 'settled'
    return { type: 'MOVE_MARKET', to: 'settled' }
  }

  /** Forgets what was needed to pay a market; its positions are read from disk from now on. */
  #end(market: DeskMarket): void {
    this.#walks.delete(market)
    this.#crowded.delete(market)
    this.#desk.ledger.endPositions(market.terms.code)
  }

  #waitForRoom(market: DeskMarket): undefined {
    this.#waitingForRoom.add(market)
  }

  #walkOf(market: DeskMarket, outcome: Outcome): SettlementWalk {
    let walk = this.#walks.get(market)
    if (walk === undefined) {
      walk = new SettlementWalk(this.#desk.ledger, market.terms.code, outcome)
      this.#walks.set(market, walk)
    }
    return walk
  }

  #move(market: DeskMarket, to: MarketStatus, by?: By): void {
    market.pendingStatus = to
    market.moved = this.#send(market, { type: 'MOVE_MARKET', to, ...signed(by) })
  }

  #send(market: DeskMarket, unsent: Unsent): Promise<void> {
    return sendToMarket(this.#shards, this.#sources, market.terms.code, unsent)
  }
}

function refusal({ pendingStatus, pendingOutcome }: DeskMarket): MoveRefusal {
  return { status: pendingStatus, outcome: pendingOutcome }
}
