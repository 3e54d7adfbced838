import type { Level } from '../../core/book/order-book.js'
import type { MarketMessage, PublicTrade } from '../../core/records/market-message.js'
import type { PriceTicks, TimeMs } from '../../core/units.js'
import { toContracts, toRupees } from '../../core/units.js'
import type { ShownMarket } from '../events/shown-market.js'

/**
 * Builds the messages of a market's channel (specification 12) by hand: JSON.stringify is five times slower.
 * They contain only numbers, fixed words and generated ids, so nothing needs escaping.
 */

/** Returns the name of a market's channel (specification 4.2). */
export const channelName = (code: number) => `event_orderbook_${code}`

/** Returns one message of the channel; `previousSeq` is the message that the reader received before it. */
export function messageText(
  market: ShownMarket,
  message: MarketMessage,
  previousSeq: number,
  at: TimeMs,
): string {
  const chain = `"seq":${message.seq},"prev_seq":${previousSeq},"ts":${at}`
  const open = `{"event":"${channelName(market.terms.code)}","data":{"type":"${message.type}",${chain}`
  return `${open},${bodyText(message, at)}}}`
}

/** Returns the whole book as of the market's last message. */
export function snapshotText(market: ShownMarket, at: TimeMs): string {
  const { terms, progress, ladder } = market
  const head = `"type":"snapshot","event_id":"${terms.code}","seq":${progress.seq},"ts":${at}`
  const book = `"bids":${levelsText(ladder.bids())},"asks":${levelsText(ladder.asks())}`
  const state = `"status":"${progress.status}",${book},"last_price":${priceText(progress.lastPrice)}`
  return `{"event":"${channelName(terms.code)}","data":{${head},${state}}}`
}

function bodyText(message: MarketMessage, at: TimeMs): string {
  switch (message.type) {
    case 'delta':
      return `"bids":${levelsText(message.bids)},"asks":${levelsText(message.asks)}`
    case 'trade':
      return `"trades":[${message.trades.map(trade => tradeText(trade, message.takerSide, at)).join(',')}]`
    case 'ORDER_PLACED': {
      const fills = message.fills.map(fillText).join(',')
      const executed = toContracts(message.executed)
      return `"payload":{"orderId":"${message.orderId}","executedQty":${executed},"fills":[${fills}]}`
    }
    case 'ORDER_CANCELLED':
    case 'ORDER_REJECTED': {
      const { orderId, remainingContracts, reason } = message
      const quantities = `"executedQty":${toContracts(message.executed)},"remainingQty":${remainingContracts}`
      return `"payload":{"orderId":"${orderId}",${quantities},"reason":"${reason}"}`
    }
    case 'status': {
      const outcome = message.outcome === undefined ? '' : `,"outcome":"${message.outcome}"`
      return `"status":"${message.status}"${outcome}`
    }
  }
}

function tradeText({ tradeId, price, quantity }: PublicTrade, takerSide: string, at: TimeMs): string {
  const what = `"tradeId":"${tradeId}","price":${toRupees(price)},"qty":${toContracts(quantity)}`
  return `{${what},"taker_side":"${takerSide}","ts":${at}}`
}

function fillText({ tradeId, price, quantity }: PublicTrade): string {
  return `{"price":${toRupees(price)},"qty":${toContracts(quantity)},"tradeId":"${tradeId}"}`
}

function levelsText(levels: readonly Level[]): string {
  let text = '['
  for (const [price, quantity] of levels) {
    if (text.length > 1) text += ','
    text += `[${toRupees(price)},${toContracts(quantity)}]`
  }
  return `${text}]`
}

export function priceText(price: PriceTicks | undefined): string {
  return price === undefined ? 'null' : String(toRupees(price))
}
