import type { By, Resolution } from '../../core/command.js'
import { CLEAR_LENGTH_MAX } from '../../core/command.js'
import type { BatchOutcome } from '../../core/engine-event.js'
import type { MarketStatus, Outcome } from '../../core/market.js'
import { canMove } from '../../core/market.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { CommandParts } from '../command-parts.js'
import type { Desk } from '../desk.js'
import type { DeskGroup, GroupResult } from '../groups/desk-group.js'
import type { Outcomes, ResultNotes, ResultRefusal } from '../groups/group-results.js'
import { eliminationOf, outcomesOf, refusalOf, resultRefusalOf, setAhead } from '../groups/group-results.js'
import type { Unsent } from '../send-to-market.js'
import { sendToMarket, signed } from '../send-to-market.js'
import type { Sources } from '../sources.js'
import { Closing } from './closing.js'
import type { DeskMarket } from './desk-market.js'

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
  /** The outcome of a group that is in the way, if it is another one than was asked about. */
  readonly market?: DeskMarket
  readonly status: MarketStatus
  readonly outcome: Outcome | undefined
  /** Set if a season's turn is in the way, and nothing else. */
  readonly isInTurn?: true
}

/**
 * Moves markets through their lives: by the clock, by operators and, once a market is closed, by the work of
 * `Closing`.
 */
export class MarketLife {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #sources: Sources
  readonly #closing: Closing
  /** Markets with expiries that wait for room, the one that has waited longest first. */
  readonly #crowded = new Set<DeskMarket>()
  /** How many orders the next closings may cancel at once: those in flight have the rest of a part. */
  #clearLeft = CLEAR_LENGTH_MAX
  /** True while markets are left to look at in later turns. */
  #isAdvancing = false
  #isStopped = false

  constructor(parts: CommandParts) {
    this.#desk = parts.desk
    this.#shards = parts.shards
    this.#sources = parts.sources
    this.#closing = new Closing(parts, market => this.#crowded.delete(market))
  }

  /** Advances the markets neither settled nor voided, and resumes work that had to wait for disk space. */
  advanceAll(): void {
    if (!this.#isAdvancing) this.#advanceFrom(this.#desk.markets.liveNow(), 0)
    this.#closing.resume()
    this.#desk.forgetting.advance(this.#sources.now())
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
    this.#desk.assertLeads()
    this.advance(market)
    const { to, from } = OPERATOR_MOVES[move]
    if (market.pendingStatus !== to) {
      if (!from.includes(market.pendingStatus)) return refusal(market)
      this.#move(market, to, by)
    }
    await market.moved
    return undefined
  }

  /**
   * Sets the outcome. Resolves when it is committed; payouts follow. In an exclusive group, `no` eliminates
   * an outcome, and `yes` is the group's result; a void is the group's alone.
   */
  async resolve(market: DeskMarket, resolution: Resolution, by?: By): Promise<MoveRefusal | undefined> {
    this.#desk.assertLeads()
    this.advance(market)
    if (this.#desk.seasons.isTurning) return inTurn(market)
    const { outcome, ...notes } = resolution
    const group = this.#desk.groups.of(market)
    if (market.pendingOutcome !== outcome) {
      if (group?.isExclusive) {
        if (outcome === 'void') return refusal(market)
        if (outcome === 'yes') return this.resolveGroup(group, market, { ...notes, ...signed(by) })
        const outcomes = eliminationOf(group, market)
        const winner = [...outcomes].find(([, its]) => its === 'yes')?.[0]
        if (winner !== undefined) return this.#set(group, outcomes, { ...notes, ...signed(by) }, winner)
      }
      const to = outcome === 'void' ? 'voided' : 'resolved'
      if (market.pendingOutcome !== undefined || !canMove(market.pendingStatus, to)) return refusal(market)
      market.pendingStatus = to
      market.pendingOutcome = outcome
      market.moved = this.#send(market, { type: 'RESOLVE_MARKET', ...resolution, ...signed(by) })
    }
    await market.moved
    return undefined
  }

  /** Sets the result of an exclusive group. Resolves when it is committed; payouts follow. */
  async resolveGroup(
    group: DeskGroup,
    result: GroupResult,
    notes: ResultNotes,
  ): Promise<ResultRefusal | undefined> {
    this.#desk.assertLeads()
    const { markets, live } = group
    for (const market of live) this.advance(market)
    const [market] = live.length > 0 ? live : markets
    if (market !== undefined && this.#desk.seasons.isTurning) return inTurn(market)
    if (group.result !== result) {
      return resultRefusalOf(group, result) ?? this.#set(group, outcomesOf(group, result), notes)
    }
    await Promise.all(markets.map(({ moved }) => moved))
    return undefined
  }

  /** Sets results of markets of an independent group; repeating one succeeds. */
  async resolveIndependent(
    group: DeskGroup,
    asked: Outcomes,
    notes: ResultNotes,
  ): Promise<ResultRefusal | undefined> {
    this.#desk.assertLeads()
    for (const market of asked.keys()) this.advance(market)
    const [first] = asked.keys()
    if (first !== undefined && this.#desk.seasons.isTurning) return inTurn(first)
    const outcomes = new Map([...asked].filter(([market, outcome]) => market.pendingOutcome !== outcome))
    if (outcomes.size > 0) return this.#set(group, outcomes, notes)
    await Promise.all([...asked.keys()].map(({ moved }) => moved))
    return undefined
  }

  /** True while books of closed markets are cleared, or positions are paid. */
  get isPaying(): boolean {
    return this.#closing.isUnderWay
  }

  /** Sends the next part of a closed market's work, unless one is in progress. */
  carryOn(market: DeskMarket): void {
    this.#closing.carryOn(market)
  }

  /** Carries on with the markets and groups that a committed batch has changed. */
  afterBatch({ markets, groups }: Pick<BatchOutcome, 'markets' | 'groups'>): void {
    for (const { code } of markets) this.carryOn(this.#desk.market(code))
    for (const { code } of groups) {
      const [market] = this.#desk.groups.get(code).markets
      if (market !== undefined) this.carryOn(market)
    }
  }

  /** Stops sending parts; the next start continues. */
  stop(): void {
    this.#isStopped = true
    this.#closing.stop()
  }

  /** Sets results of a group, of one market or several. */
  async #set(
    group: DeskGroup,
    outcomes: Outcomes,
    { by, ...notes }: ResultNotes,
    last?: DeskMarket,
  ): Promise<ResultRefusal | undefined> {
    const refusal = refusalOf(outcomes, last)
    if (refusal !== undefined) return refusal
    const { code } = group.terms
    const id = this.#sources.messageId()
    const command = { id, ...setAhead(group, outcomes, notes), ...signed(by) }
    const moved = this.#shards.submit(code, command)
    for (const market of outcomes.keys()) market.moved = moved
    await moved
    return undefined
  }

  #move(market: DeskMarket, to: MarketStatus, by?: By): void {
    market.pendingStatus = to
    const move = { type: 'MOVE_MARKET', to, ...signed(by) } as const
    market.moved = to === 'closed' ? this.#close(market, move) : this.#send(market, move)
  }

  /**
   * Closes a market. All that close at once, as the outcomes of a group do, cancel as many orders at once as
   * one that is alone.
   */
  async #close(market: DeskMarket, move: Extract<Unsent, { readonly type: 'MOVE_MARKET' }>): Promise<void> {
    const clear = Math.min(market.openOrders.size, this.#clearLeft)
    const isAlone = this.#clearLeft === CLEAR_LENGTH_MAX
    this.#clearLeft -= clear
    await this.#send(market, isAlone ? move : { ...move, clear })
    this.#clearLeft += clear
  }

  #send(market: DeskMarket, unsent: Unsent): Promise<void> {
    return sendToMarket(this.#shards, this.#sources, market.terms.code, unsent)
  }
}

/** Returns the refusal of a result in a season's turn. */
function inTurn(market: DeskMarket): ResultRefusal {
  return { market, ...refusal(market), isInTurn: true }
}

function refusal({ pendingStatus, pendingOutcome }: DeskMarket): MoveRefusal {
  return { status: pendingStatus, outcome: pendingOutcome }
}
