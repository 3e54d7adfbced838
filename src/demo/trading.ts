import { orderId } from '../core/order-record.js'
import type { MarketCode, TimeMs } from '../core/units.js'
import { NO_LOTS, toContracts } from '../core/units.js'
import type { Exchange } from '../exchange/exchange.js'
import type { DemoEvent } from './board.js'
import type { Bot } from './bots.js'
import { BOTS } from './bots.js'
import { FairPrice } from './fair-price.js'
import { orderOf } from './quote-order.js'
import type { Chance } from './seeded-random.js'
import type { MarketView } from './strategy.js'

/** Value of a usual order if it wins, in ticks. */
const UNIT_WORTH = 40_000
const HALF_SPREAD_SHARE = 0.012
/** Share of the price memory that is lost each turn. */
const FORGETS = 0.04

const NONE = { yes: NO_LOTS, no: NO_LOTS }

/** A market's state as remembered by the bots; after a start, only the last price. */
interface Memory {
  readonly fairPrice: FairPrice
  usual: number
}

/** Gives the bots their turns; each leads to at most one order and one cancel. */
export class Trading {
  readonly #exchange: Exchange
  readonly #chance: Chance
  readonly #memories = new Map<MarketCode, Memory>()

  constructor(exchange: Exchange, chance: Chance) {
    this.#exchange = exchange
    this.#chance = chance
  }

  /** Draws bots for a number of turns in one market; each plays at most once. */
  async play(event: DemoEvent, now: TimeMs, turns: number): Promise<void> {
    const bots = new Set<Bot>()
    for (let turn = 0; turn < turns; turn++) bots.add(this.#nextBot())
    await Promise.all(Array.from(bots, bot => this.#playOne(event, bot, now)))
  }

  /** Resolves when the bot's order and its cancel are on disk. */
  async #playOne({ market, series, question }: DemoEvent, bot: Bot, now: TimeMs): Promise<void> {
    const view = this.#look({ market, series, question }, bot, now)
    const { cancel, quote } = bot.strategy(view)
    const order = quote && orderOf(quote, market.terms, bot.userId, view.inventory)
    const cancelled = cancel && this.#exchange.cancelOrder(orderId(cancel))
    // If the exchange is too busy, the turn is lost; others will follow.
    const placed = order && this.#exchange.placeOrder(order)
    await Promise.all([cancelled, placed])
  }

  #look(event: DemoEvent, { userId }: Bot, now: TimeMs): MarketView {
    const { market } = event
    const { payout, tickSize, code } = market.terms
    const memory = this.#memoryOf(event, now)
    const fair = memory.fairPrice.walkTo(now, this.#chance) * payout
    const last = market.progress.lastPrice ?? fair
    memory.usual += FORGETS * (last - memory.usual)
    const position = this.#exchange.userChannel.positions(userId).find(found => found.market === code)
    const { yes, no } = position?.contracts ?? NONE
    return {
      now,
      chance: this.#chance,
      payout,
      tickSize,
      halfSpread: Math.max(tickSize, payout * HALF_SPREAD_SHARE),
      unit: UNIT_WORTH / payout,
      fair,
      last,
      trend: last - memory.usual,
      bestBid: market.ladder.bids(1)[0]?.[0],
      bestAsk: market.ladder.asks(1)[0]?.[0],
      inventory: toContracts(yes) - toContracts(no),
      own: [...market.openOrders.values()].filter(order => order.userId === userId),
    }
  }

  #memoryOf({ market, series, question }: DemoEvent, now: TimeMs): Memory {
    const { code, payout, startAt, endAt } = market.terms
    let memory = this.#memories.get(code)
    if (memory === undefined) {
      const { lastPrice } = market.progress
      const { level } = question
      const share = lastPrice === undefined ? level : lastPrice / payout
      const fairPrice = new FairPrice({ level, volatility: series.volatility, startAt, endAt }, share, now)
      memory = { fairPrice, usual: share * payout }
      this.#memories.set(code, memory)
    }
    return memory
  }

  #nextBot(): Bot {
    const total = BOTS.reduce((sum, { weight }) => sum + weight, 0)
    let roll = this.#chance.share() * total
    const bot = BOTS.find(({ weight }) => {
      roll -= weight
      return roll < 0
    })
    return bot ?? (BOTS[0] as Bot)
  }
}
