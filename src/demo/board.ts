import { slugOf } from '../core/slug.js'
import type { MarketCode, TimeMs } from '../core/units.js'
import { amount, lots, UNITS_PER_RUPEE } from '../core/units.js'
import type { Exchange } from '../exchange/exchange.js'
import type { DeskMarket } from '../exchange/markets/desk-market.js'
import type { Question, Series } from './series.js'
import { SERIES } from './series.js'

const MIN_BET = amount(UNITS_PER_RUPEE)
const MAX_BET = amount(50_000 * UNITS_PER_RUPEE)
const CAPACITY = lots(100_000_000)

/** An event that the demo has opened itself. */
export interface DemoEvent {
  readonly market: DeskMarket
  readonly series: Series
  readonly question: Question
}

/** The demo's events among those of the exchange; what guests have created is not the demo's to touch. */
export class Board {
  readonly #exchange: Exchange
  readonly #known = new Map<MarketCode, DemoEvent | undefined>()

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  /** All of them, also those that are over. */
  *all(): Generator<DemoEvent> {
    for (const market of this.#exchange.markets()) {
      const { code } = market.terms
      if (!this.#known.has(code)) this.#known.set(code, eventOf(market))
      const event = this.#known.get(code)
      if (event !== undefined) yield event
    }
  }

  /** Those that take orders. */
  open(): DemoEvent[] {
    return [...this.all()].filter(({ market }) => market.pendingStatus === 'open')
  }

  /** Opens the event of a series that ends then; answers false where somebody has its title already. */
  async add(series: Series, startAt: TimeMs, endAt: TimeMs): Promise<boolean> {
    const { payout, tickSize, sot } = series
    const { title, description } = series.question(endAt)
    const terms = { payout, tickSize, minBet: MIN_BET, maxBet: MAX_BET, capacity: CAPACITY, startAt, endAt }
    const listing = { title, slug: slugOf(title), description, sot }
    const market = await this.#exchange.createMarket({ terms, listing })
    return typeof market !== 'string'
  }
}

/** A title tells which event it is, for a series makes it from nothing but the end. */
function eventOf(market: DeskMarket): DemoEvent | undefined {
  const series = SERIES.find(({ sot }) => sot === market.listing.sot)
  const question = series?.question(market.terms.endAt)
  if (series === undefined || question?.title !== market.listing.title) return undefined
  return { market, series, question }
}
