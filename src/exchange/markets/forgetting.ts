import type { Ledger } from '../../core/ledger.js'
import { isOver } from '../../core/market.js'
import type { MarketCode, TimeMs } from '../../core/units.js'
import { amount, NOTHING } from '../../core/units.js'
import type { DeskGroup } from '../groups/desk-group.js'
import type { DeskGroups } from '../groups/desk-groups.js'
import type { DeskHouse } from '../house/desk-house.js'
import type { DeskMarket } from './desk-market.js'
import type { EndedSource } from './ended-units.js'
import type { MarketDirectory } from './market-directory.js'

/** The markets that are over looked at in one tick: after a start there may be a hundred thousand. */
const LOOKED_AT_MAX = 8192
/** Those compared with the tables in one tick, some milliseconds; and of many that wait, a share. */
const COMPARED_MIN = 64
const COMPARED_SHARE = 1 / 16
/** After this time, one that could not be forgotten is looked at again. */
const AGAIN_MS = 10_000

/** The part of the desk that forgets. */
interface ForgettingDesk {
  readonly ledger: Ledger
  readonly markets: MarketDirectory
  readonly groups: DeskGroups
  readonly house: DeskHouse
}

/** Frees what memory has of markets that have been over for a day, once the tables say the same. */
export class Forgetting {
  readonly #ledger: Ledger
  readonly #markets: MarketDirectory
  readonly #groups: DeskGroups
  readonly #house: DeskHouse
  readonly #afterMs: number
  /** The place among the markets that are over up to which the days of all have been freed. */
  #fadedCount = 0
  /** Markets to be forgotten, and when to try: the one that has waited longest first. */
  readonly #waiting = new Map<MarketCode, number>()

  constructor({ ledger, markets, groups, house }: ForgettingDesk, afterMs: number) {
    this.#ledger = ledger
    this.#markets = markets
    this.#groups = groups
    this.#house = house
    this.#afterMs = afterMs
  }

  /** Keeps a market that was forgotten in memory, because it may change, until the tables say the same. */
  recall(code: MarketCode): void {
    const unit = this.#markets.recall(code)
    if (unit === undefined) return
    const { group, markets } = unit
    if (group !== undefined) this.#groups.recall(group)
    for (const market of markets) {
      if (!this.#ledger.isOpen(market.pool.escrow)) this.#ledger.open(market.pool.escrow)
      this.restoreEnded(market, this.#markets.ended.tradersOf(market.terms.code) ?? 0)
      this.#waiting.set(market.terms.code, 0)
    }
    if (group !== undefined) this.restoreEndedGroup(group)
  }

  /** The same for a group. */
  recallGroup(code: MarketCode): void {
    const [market] = this.#groups.get(code).markets
    if (market !== undefined) this.recall(market.terms.code)
  }

  /** Counts the traders and the fees of a market whose positions were paid, and are not in memory. */
  restoreEnded({ terms: { code }, progress: { status, fees } }: DeskMarket, traders: number): void {
    this.#ledger.restoreEnded(code, traders, status === 'settled' ? fees : NOTHING)
  }

  /** Counts the fees of a group that has settled, and whose net payments are not in memory. */
  restoreEndedGroup({ pool, markets, terms }: DeskGroup): void {
    if (pool === undefined || markets.some(({ progress }) => progress.status !== 'settled')) return
    const fees = markets.reduce((sum, { progress }) => sum + progress.fees, 0)
    this.#ledger.restoreEnded(terms.code, 0, amount(fees))
  }

  /** Returns how many users have ever held contracts of a market. */
  tradersOf(code: MarketCode): number {
    const forgotten = this.#markets.inMemory(code) === undefined && this.#markets.ended.tradersOf(code)
    return forgotten || this.#ledger.holders(code)
  }

  /** Frees the trails of the markets whose last trades are older than a day, then the markets. */
  advance(now: TimeMs): void {
    const { ended, source } = this.#markets
    const end = Math.min(this.#fadedCount + LOOKED_AT_MAX, ended.length)
    for (
      ;
      this.#fadedCount < end && ended.overAt(this.#fadedCount) + this.#afterMs <= now;
      this.#fadedCount++
    ) {
      const code = ended.codeAt(this.#fadedCount)
      const market = this.#markets.inMemory(code)
      if (market === undefined) continue
      market.day.forgetOld(now)
      this.#waiting.set(code, 0)
    }
    if (source !== undefined) this.#forgetSome(source, now)
  }

  #forgetSome(source: EndedSource, now: TimeMs): void {
    let [lookedAt, compared] = [0, 0]
    // Refused orders may bring back more in a second than the bound for few, a whole group with each.
    const comparedMax = Math.max(COMPARED_MIN, this.#waiting.size * COMPARED_SHARE)
    for (const [code, at] of this.#waiting) {
      // One that is due later than that was noted before the clock was set back.
      if ((at > now && at <= now + AGAIN_MS) || lookedAt >= LOOKED_AT_MAX || compared >= comparedMax) return
      this.#waiting.delete(code)
      const market = this.#markets.inMemory(code)
      if (market === undefined) continue
      const group = this.#groups.of(market)
      const markets = group?.markets ?? [market]
      lookedAt += markets.length
      const isDone = this.#isDone(markets, now)
      if (isDone) compared += markets.length
      if (isDone && this.#areStored(source, group, markets)) this.#forget(group, markets)
      else this.#waiting.set(code, now + AGAIN_MS)
    }
  }

  /** Returns true if nothing is left to do for a market on its own, or for those of a group. */
  #isDone(markets: readonly DeskMarket[], now: TimeMs): boolean {
    const [ledger, house] = [this.#ledger, this.#house]
    for (const { progress, terms, resolved, pool, isQuiet } of markets) {
      if (!isOver(progress.status) || (resolved?.at ?? terms.endAt) + this.#afterMs > now || !isQuiet)
        return false
      if (ledger.hasPositions(terms.code) || ledger.hasPositions(pool.code)) return false
      if (ledger.isOpen(pool.escrow) && ledger.balance(pool.escrow).cash !== 0) return false
      if (house.isOpenIn(terms.code)) return false
    }
    return true
  }

  /** Returns true if the tables have all of markets, and of their group; false if they cannot be read. */
  #areStored(source: EndedSource, group: DeskGroup | undefined, markets: readonly DeskMarket[]): boolean {
    try {
      if (!isStored(source, group)) return false
      return markets.every(
        market => isMarketStored(source, market) && this.#house.areStored(source, market.terms.code),
      )
    } catch {
      return false
    }
  }

  #forget(group: DeskGroup | undefined, markets: readonly DeskMarket[]): void {
    const ledger = this.#ledger
    this.#markets.forget(markets)
    if (group !== undefined) {
      this.#groups.forget(group)
      ledger.forget(group.terms.code)
    }
    for (const { terms, pool } of markets) {
      ledger.forget(terms.code)
      this.#house.forget(terms.code)
      if (ledger.isOpen(pool.escrow)) ledger.close(pool.escrow)
    }
  }
}

function isStored(source: EndedSource, group: DeskGroup | undefined): boolean {
  if (group === undefined) return true
  const { listing, progress } = group
  const stored = source.group(group.terms.code)
  return (
    stored?.listing.title === listing.title &&
    stored.listing.description === listing.description &&
    stored.progress.sets === progress.sets &&
    stored.progress.conversions === progress.conversions
  )
}

function isMarketStored(source: EndedSource, { terms, progress, lastNumber }: DeskMarket): boolean {
  const stored = source.market(terms.code)
  if (stored === undefined) return false
  const { status, seq, trades, volume } = stored.progress
  return (
    stored.lastNumber === lastNumber &&
    status === progress.status &&
    seq === progress.seq &&
    trades === progress.trades &&
    volume === progress.volume
  )
}
