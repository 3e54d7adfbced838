import type { Level } from '../../core/book/order-book.js'
import { hasFees } from '../../core/fees.js'
import type { PriceTicks, TimeMs } from '../../core/units.js'
import { amountToRupees, toContracts, toRupees } from '../../core/units.js'
import type { EventAnswer, OrderBookAnswer, TradeSummaryAnswer } from './event-answer.js'
import type { ShownMarket } from './shown-market.js'

const iso = (ms: number) => new Date(ms).toISOString()
const priceOrNull = (price: PriceTicks | undefined) => (price === undefined ? null : toRupees(price))

/** Returns an event as clients see it, in INR, contracts and ISO 8601 (specification 2.2 and 11). */
export function eventView(market: ShownMarket, traders: number, now: TimeMs): EventAnswer {
  const { terms, listing, progress, resolved, rates } = market
  return {
    id: listing.id,
    title: listing.title,
    slug: listing.slug,
    description: listing.description,
    start_date: iso(terms.startAt),
    end_date: iso(terms.endAt),
    createdAt: iso(listing.createdAt),
    min_bet: amountToRupees(terms.minBet),
    max_bet: amountToRupees(terms.maxBet),
    sot: listing.sot,
    traders,
    quantity: toContracts(terms.capacity),
    event_id: String(terms.code),
    status: progress.status,
    payout: toRupees(terms.payout),
    tick_size: toRupees(terms.tickSize),
    outcome: progress.outcome ?? null,
    category: listing.category ?? null,
    image: market.image ?? null,
    source_url: resolved?.sourceUrl ?? listing.sourceUrl ?? null,
    note: resolved?.note ?? null,
    resolvedAt: resolved === undefined ? null : iso(resolved.at),
    ...tradingView(market, now),
    open_interest: toContracts(progress.openPairs),
    ...(hasFees(rates) && { fee_taker_bp: rates.taker, fee_maker_bp: rates.maker }),
    ...(terms.group !== undefined && { group: String(terms.group), label: listing.label }),
  }
}

/** Returns what an event trades at. */
export function tradingView({ progress, ladder, day }: ShownMarket, now: TimeMs) {
  return {
    last_price: priceOrNull(progress.lastPrice),
    best_bid: priceOrNull(ladder.bids(1)[0]?.[0]),
    best_ask: priceOrNull(ladder.asks(1)[0]?.[0]),
    volume: toContracts(progress.volume),
    volume_24h: toContracts(day.volume(now)),
    change_24h: priceOrNull(day.change(now) as PriceTicks | undefined),
  }
}

/** Returns the book as clients see it: YES prices, best first, as of message `seq` of the channel. */
export function orderBookView(market: ShownMarket, depth: number): OrderBookAnswer {
  const { terms, progress, ladder } = market
  const level = ([price, quantity]: Level): OrderBookAnswer['bids'][number] => [
    toRupees(price),
    toContracts(quantity),
  ]
  return {
    event_id: String(terms.code),
    seq: progress.seq,
    status: progress.status,
    bids: ladder.bids(depth).map(level),
    asks: ladder.asks(depth).map(level),
    last_price: priceOrNull(progress.lastPrice),
  }
}

/** Returns exactly the fields of specification 4.2. */
export function tradeSummaryView(market: ShownMarket): TradeSummaryAnswer {
  const code = String(market.terms.code)
  return {
    order_book_details: {
      orderbook_config: {
        socket_events: {
          subscribe_msg_name: 'subscribe_orderbook',
          unsubscribe_msg_name: 'unsubscribe_orderbook',
          listener_msg_name: `event_orderbook_${code}`,
          subscription_data: code,
        },
      },
    },
  }
}

/** Returns the YES prices of the last 24 hours: the first, then one for each half hour, at most 49. */
export function trendView({ day }: Pick<ShownMarket, 'day'>, now: TimeMs): readonly number[] {
  return day.prices(now).map(toRupees)
}
