import type { SettledPosition } from '../../core/command.js'
import type { Outcome } from '../../core/market.js'
import { keepsOrders } from '../../core/market.js'
import type { MarketCode } from '../../core/units.js'
import { CLEAR_LENGTH_MAX } from '../../core/command.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { CommandParts } from '../command-parts.js'
import type { Desk } from '../desk.js'
import type { DeskGroup } from '../groups/desk-group.js'
import type { Unsent } from '../send-to-market.js'
import { sendToMarket } from '../send-to-market.js'
import type { Sources } from '../sources.js'
import type { DeskMarket } from './desk-market.js'
import { SettlementWalk } from './settlement-walk.js'

/** A part of the work, for a market or a void group. */
interface Part {
  readonly code: MarketCode
  readonly unsent: Unsent
}

/**
 * Clears the books of closed markets and settles their positions, in parts: those of a group one after
 * another. Each part queues behind other work at the shard and pauses afterwards to leave the disk to others.
 * The next part follows from the state alone, so a restart continues where it stopped.
 */
export class Closing {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #sources: Sources
  readonly #ended: (market: DeskMarket) => void
  /** Of the markets and groups that are being paid. */
  readonly #walks = new Map<MarketCode, SettlementWalk>()
  /** Markets and groups with a part in flight. */
  readonly #underWay = new Set<DeskMarket | DeskGroup>()
  /** Closed markets whose next part waits for disk space. */
  readonly #waitingForRoom = new Set<DeskMarket>()
  #isStopped = false

  /** @param ended called when a market has paid */
  constructor({ desk, shards, sources }: CommandParts, ended: (market: DeskMarket) => void) {
    this.#desk = desk
    this.#shards = shards
    this.#sources = sources
    this.#ended = ended
  }

  /** True while a market or group has a part in flight, or waits for disk space with one. */
  get isUnderWay(): boolean {
    return this.#underWay.size > 0 || this.#waitingForRoom.size > 0
  }

  /** Resumes work that had to wait for disk space. */
  resume(): void {
    const waiting = [...this.#waitingForRoom]
    this.#waitingForRoom.clear()
    for (const market of waiting) this.carryOn(market)
  }

  /** Sends the next part of a closed market's work, or its group's, unless one is in progress. */
  carryOn(market: DeskMarket): void {
    const unit = this.#desk.groups.of(market) ?? market
    if (this.#isStopped || this.#underWay.has(unit)) return
    const part = this.#nextPart(market)
    if (part === undefined) return
    this.#underWay.add(unit)
    const next = () => {
      this.#underWay.delete(unit)
      this.carryOn(market)
    }
    const sent = sendToMarket(this.#shards, this.#sources, part.code, part.unsent)
    void sent.then(() => this.#sources.rest(next))
  }

  /** Stops sending parts; the next start continues. */
  stop(): void {
    this.#isStopped = true
  }

  #nextPart(market: DeskMarket): Part | undefined {
    const group = this.#desk.groups.of(market)
    const closed = (group?.markets ?? [market]).filter(({ progress }) => !keepsOrders(progress.status))
    if (closed.length === 0) return undefined
    if (this.#desk.endingRefusal !== undefined) return this.#waitForRoom(market)
    const filled = closed.find(({ openOrders }) => openOrders.size > 0)
    if (filled !== undefined) {
      // All that are cleared at once share a part, so that orders in other markets get their turn.
      const length = Math.ceil(CLEAR_LENGTH_MAX / (this.#underWay.size + 1))
      return { code: filled.terms.code, unsent: { type: 'CLEAR_BOOK', length } }
    }
    for (const one of closed) {
      const part = this.#settlementOf(one)
      if (part !== undefined) return part
    }
    return group?.pool === undefined ? undefined : this.#groupPart(group, market)
  }

  #settlementOf(market: DeskMarket): Part | undefined {
    const { status, outcome } = market.progress
    if (outcome === undefined) return undefined
    if (status === 'settled') this.#end(market)
    if (market.pendingStatus === 'settled') return undefined
    // Payouts make the file grow: they wait for disk space.
    if (this.#desk.growthRefusal !== undefined) return this.#waitForRoom(market)

    const { code } = market.terms
    const positions = this.#nextPositions(code, outcome)
    if (positions.length > 0) return { code, unsent: { type: 'SETTLE_POSITIONS', positions } }
    if (outcome === 'void') {
      this.#end(market)
      return undefined
    }
    market.pendingStatus = 'settled'
    return { code, unsent: { type: 'MOVE_MARKET', to: 'settled' } }
  }

  /**
   * Reverses the net payments to a void group once its contracts are settled, an outcome that came before the
   * void included: with that, what its users were paid counts, too.
   */
  #groupPart({ terms: { code }, markets, isVoid }: DeskGroup, market: DeskMarket): Part | undefined {
    const isPaid = markets.every(({ progress: { status } }) => status === 'settled' || status === 'voided')
    if (!isPaid) return undefined
    if (isVoid) {
      if (this.#desk.growthRefusal !== undefined) return this.#waitForRoom(market)
      const positions = this.#nextPositions(code, 'void')
      if (positions.length > 0) return { code, unsent: { type: 'SETTLE_POSITIONS', positions } }
    }
    this.#walks.delete(code)
    this.#desk.ledger.endPositions(code)
    return undefined
  }

  /** Returns the next positions to settle, and holds what their users are to pay back. */
  #nextPositions(code: MarketCode, outcome: Outcome): readonly SettledPosition[] {
    const positions = this.#walkOf(code, outcome).next()
    for (const [account, , , , held] of positions) this.#desk.ledger.hold(account, held)
    return positions
  }

  /** Forgets what was needed to pay a market; its positions are read from disk from now on. */
  #end(market: DeskMarket): void {
    const { code } = market.terms
    this.#walks.delete(code)
    this.#ended(market)
    this.#desk.ledger.endPositions(code)
  }

  #waitForRoom(market: DeskMarket): undefined {
    this.#waitingForRoom.add(market)
  }

  #walkOf(code: MarketCode, outcome: Outcome): SettlementWalk {
    let walk = this.#walks.get(code)
    if (walk === undefined) {
      walk = new SettlementWalk(this.#desk.ledger, code, outcome)
      this.#walks.set(code, walk)
    }
    return walk
  }
}
