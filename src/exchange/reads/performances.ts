import { conversionEffect } from '../../core/conversion.js'
import { PastContracts } from '../../core/positions/past-contracts.js'
import type { Performance, WorthPoint } from '../../core/records/performance-record.js'
import type { AccountNumber, MarketCode, PriceTicks, TimeMs } from '../../core/units.js'
import { amount, NO_LOTS, NOTHING, ticks } from '../../core/units.js'
import type { Database } from '../../store/database.js'
import { ConversionRows } from '../../store/rows/conversion-rows.js'
import type { PastLine, SettledContracts } from '../../store/rows/past-rows.js'
import { PastRows } from '../../store/rows/past-rows.js'
import { PositionRows } from '../../store/rows/position-rows.js'
import type { TimeRange } from '../../store/rows/time-range.js'

/** The most statement lines read for one performance. */
export const PERFORMANCE_LINES_MAX = 100_000
/** The most prices looked up for one performance: more markets mean fewer points, and at last none. */
const PRICES_MAX = 10_000
const POINTS_MIN = 2
/** The most events of which two prices may be looked up. */
const EVENTS_MAX = PRICES_MAX / POINTS_MIN
/** Money that enters or leaves the exchange: neither profit nor loss. */
const TRANSFERS: ReadonlySet<string> = new Set(['opening', 'deposit', 'withdrawal', 'brought_forward'])

/** The records that lead back from a user's present contracts and cash, the newest first. */
interface Past {
  /** Those in which the user may hold contracts now. */
  readonly markets: readonly MarketCode[]
  readonly lines: readonly PastLine[]
  readonly settlements: readonly SettledContracts[]
}

/** Computes how a user's portfolio did, from their statement, trades and settlements. */
export class Performances {
  readonly #database: Database
  readonly #positions: PositionRows
  readonly #past: PastRows
  readonly #conversions: ConversionRows

  constructor(database: Database) {
    this.#database = database
    this.#positions = new PositionRows(database)
    this.#past = new PastRows(database)
    this.#conversions = new ConversionRows(database)
  }

  /** Reads everything from one snapshot. @param markets those in which the user may hold contracts now */
  read(
    account: AccountNumber,
    markets: readonly MarketCode[],
    range: TimeRange & { readonly to: TimeMs },
    pointsMax: number,
  ): Performance {
    return this.#database.transaction(() => this.#read(account, markets, range, pointsMax)).deferred()
  }

  #read(
    account: AccountNumber,
    markets: readonly MarketCode[],
    range: TimeRange & { readonly to: TimeMs },
    pointsMax: number,
  ): Performance {
    const lines = this.#past.lines(account, range.from, PERFORMANCE_LINES_MAX)
    const oldest = lines.at(-1)
    const isCut = lines.length === PERFORMANCE_LINES_MAX && (oldest?.at ?? 0) >= (range.from ?? 0)
    // Before a user's first line there was no cash; before another one that is read, it is not known.
    const isFirst = oldest?.previous == null
    const known = ((oldest?.at ?? range.to) + (isFirst ? 0 : 1)) as TimeMs
    const begin = range.from === undefined || isCut ? known : range.from
    const from = Math.min(begin, range.to) as TimeMs
    const within = lines.filter(({ at, change }) => at >= from && at < range.to && change !== 0)
    const traded = lines.flatMap(({ market }) => market ?? [])
    const settlements = this.#past.settlements(account, from, EVENTS_MAX + 1)
    const seen = new Set([...markets, ...traded, ...settlements.map(({ market }) => market)])
    const count = Math.min(pointsMax, Math.floor(PRICES_MAX / Math.max(1, seen.size)))
    return {
      from,
      to: range.to,
      isComplete: range.from === undefined ? isFirst : !isCut,
      lines: within.length,
      totals: totalsOf(within),
      points:
        count < POINTS_MIN
          ? []
          : this.#points(account, { markets, lines, settlements }, { from, to: range.to, count }),
    }
  }

  #points(
    account: AccountNumber,
    past: Past,
    { from, to, count }: { readonly from: TimeMs; readonly to: TimeMs; readonly count: number },
  ): WorthPoint[] {
    const before = this.#walk(account, past, from)
    return timesIn(from, to, count)
      .map(at => before(at))
      .reverse()
  }

  /** Returns what the portfolio was worth right before a moment; to be called for the newest moment first. */
  #walk(account: AccountNumber, { markets, lines, settlements }: Past, from: TimeMs) {
    const past = this.#past
    const held = (market: MarketCode) =>
      this.#positions.find(market, account) ?? { yes: NO_LOTS, no: NO_LOTS }
    const contracts = new PastContracts(held, market => past.payoutOf(market))
    for (const market of markets) contracts.include(market)
    const prices = past.prices()
    let line = 0
    let settled = 0
    let paidIn = lines.reduce((sum, { at, kind, change }) => {
      return at >= from && TRANSFERS.has(kind) ? sum + change : sum
    }, 0)
    const undo = ({ kind, market, trade, orderNumber, change, fee }: PastLine) => {
      if (TRANSFERS.has(kind)) paidIn -= change
      if (market === null) return
      if (kind === 'merge') contracts.undoMerge(market, change)
      const made = kind === 'conversion' && trade !== null ? this.#conversions.find(market, trade) : undefined
      // The money is in the line: only the contracts are undone, whatever they pay.
      if (made !== undefined) contracts.undoConversion(conversionEffect(made, ticks(0)), made.lots)
      if (kind !== 'trade' || trade === null || orderNumber === null) return
      const fill = past.fill(market, trade, orderNumber)
      if (fill !== undefined) contracts.undoFill(market, { ...fill, change, fee })
    }
    return (at: TimeMs): WorthPoint => {
      for (let next = lines[line]; next !== undefined && next.at >= at; next = lines[++line]) undo(next)
      for (
        let next = settlements[settled];
        next !== undefined && next.at >= at;
        next = settlements[++settled]
      )
        contracts.undoSettlement(next.market, next)
      const priceOf = (market: MarketCode): PriceTicks => prices.before(market, at) ?? ticks(0)
      return {
        at,
        cash: lines[line]?.cash ?? NOTHING,
        contracts: amount(contracts.value(priceOf)),
        paidIn: amount(paidIn),
      }
    }
  }
}

function totalsOf(lines: readonly PastLine[]): Performance['totals'] {
  const totals: Partial<Record<PastLine['kind'], ReturnType<typeof amount>>> = {}
  for (const { kind, change } of lines) totals[kind] = amount((totals[kind] ?? 0) + change)
  return totals
}

/** Returns moments at equal distances, from the end of a range to its beginning. */
function timesIn(from: TimeMs, to: TimeMs, count: number): TimeMs[] {
  const step = (to - from) / (count - 1)
  return Array.from({ length: count }, (_, place) => Math.round(to - place * step) as TimeMs)
}
