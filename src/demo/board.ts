import { slugOf } from '../core/slug.js'
import type { TimeMs } from '../core/units.js'
import { amount, lots, UNITS_PER_RUPEE } from '../core/units.js'
import type { Exchange } from '../exchange/exchange.js'
import type { DeskGroup } from '../exchange/groups/desk-group.js'
import type { DeskMarket } from '../exchange/markets/desk-market.js'
import { CUP, cupAt, cupQuestion } from './cup.js'
import type { Question, Series } from './series.js'
import { SERIES } from './series.js'

/** Of the house quotes of each event. */
const HOUSE_BUDGET = 1000 * UNITS_PER_RUPEE
const MIN_BET = amount(UNITS_PER_RUPEE)
const MAX_BET = amount(50_000 * UNITS_PER_RUPEE)
const SOURCE = 'Demo'
const CAPACITY = lots(100_000_000)

/** An event opened by the demo itself. */
export interface DemoEvent {
  readonly market: DeskMarket
  readonly series: Series
  readonly question: Question
}

/** The demo's own events on the exchange; it leaves events created by guests alone. */
export class Board {
  readonly #exchange: Exchange
  readonly #isQuoted: () => boolean
  readonly #known = new WeakMap<DeskMarket, DemoEvent>()
  /** Live events of others. */
  readonly #others = new WeakSet<DeskMarket>()

  /** @param isQuoted whether the house quotes new events */
  constructor(exchange: Exchange, isQuoted: () => boolean = () => true) {
    this.#exchange = exchange
    this.#isQuoted = isQuoted
  }

  /** Yields all of them that are neither settled nor voided. */
  *all(): Generator<DemoEvent> {
    for (const market of this.#exchange.directory.live()) {
      if (this.#others.has(market)) continue
      const event = this.#known.get(market) ?? eventOf(market)
      if (event === undefined) this.#others.add(market)
      else {
        this.#known.set(market, event)
        yield event
      }
    }
  }

  /** Returns those that take orders. */
  open(): DemoEvent[] {
    return [...this.all()].filter(({ market }) => market.pendingStatus === 'open')
  }

  /** Opens a series' event with this end; resolves to false if its title is already taken. */
  async add(series: Series, startAt: TimeMs, endAt: TimeMs): Promise<boolean> {
    const { payout, tickSize, category } = series
    const { title, description } = series.question(endAt)
    const terms = { payout, tickSize, minBet: MIN_BET, maxBet: MAX_BET, capacity: CAPACITY, startAt, endAt }
    const listing = {
      title,
      slug: slugOf(title),
      description,
      sot: SOURCE,
      category: shownCategory(category),
    }
    const market = await this.#exchange.createMarket({ terms, listing })
    if (typeof market === 'string') return false
    await this.#quote([market])
    return true
  }

  /** Opens the cup with this end; resolves to false if one of its titles is already taken. */
  async addCup(startAt: TimeMs, endAt: TimeMs): Promise<boolean> {
    const group = await this.#exchange.groups.create(cupAt(startAt, endAt))
    if (typeof group === 'string' || 'refusal' in group) return false
    await this.#quote(group.markets)
    return true
  }

  /** Lets the house quote new events, unless the settings have done so. */
  async #quote(markets: readonly DeskMarket[]): Promise<void> {
    if (!this.#isQuoted()) return
    const { funding } = this.#exchange.house
    await funding.fund(funding.evenly(markets, amount(HOUSE_BUDGET * markets.length)))
  }

  /** Returns the group of a cup's outcome. */
  cupOf({ market }: DemoEvent): DeskGroup | undefined {
    return this.#exchange.groups.of(market)
  }
}

function shownCategory(category: string): string {
  return category.charAt(0).toUpperCase() + category.slice(1)
}

/** Returns the event behind a title, which a series derives from the end alone. */
function eventOf(market: DeskMarket): DemoEvent | undefined {
  const { listing } = market
  if (market.terms.group !== undefined) return cupOutcomeOf(market)
  // Older demos have the category in `sot`.
  const shown = listing.category ?? listing.sot
  const series = SERIES.find(({ category }) => category === shown || shownCategory(category) === shown)
  const question = series?.question(market.terms.endAt)
  if (series === undefined || question?.title !== listing.title) return undefined
  return { market, series, question }
}

/** Returns the outcome of a cup, which the demo has created if its title is that of the end. */
function cupOutcomeOf(market: DeskMarket): DemoEvent | undefined {
  const question = cupQuestion(market.terms.endAt, market.listing.label)
  return question?.title === market.listing.title ? { market, series: CUP, question } : undefined
}
