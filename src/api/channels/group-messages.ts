import type { MarketStatus, Outcome } from '../../core/market.js'
import type { MarketCode, PriceTicks, TimeMs } from '../../core/units.js'
import { priceText } from './market-messages.js'

/** The state and prices of an outcome, as a group's channel has them. */
export interface OutcomePrices {
  readonly code: MarketCode
  readonly status: MarketStatus
  readonly outcome: Outcome | undefined
  readonly bestBid: PriceTicks | undefined
  readonly bestAsk: PriceTicks | undefined
  readonly lastPrice: PriceTicks | undefined
}

/** Returns the name of a group's channel. */
export const groupChannelName = (code: number) => `event_group_${code}`

/** Returns the prices of all outcomes, as of message `seq`. */
export function groupSnapshotText(
  code: MarketCode,
  outcomes: Iterable<OutcomePrices>,
  seq: number,
  at: TimeMs,
): string {
  return messageText(code, `"type":"snapshot","code":"${code}","seq":${seq},"ts":${at}`, outcomes)
}

/** Returns the outcomes that have changed since `previousSeq`, as they are now. */
export function pricesText(
  code: MarketCode,
  outcomes: Iterable<OutcomePrices>,
  { seq, previousSeq, at }: { readonly seq: number; readonly previousSeq: number; readonly at: TimeMs },
): string {
  return messageText(code, `"type":"prices","seq":${seq},"prev_seq":${previousSeq},"ts":${at}`, outcomes)
}

function messageText(code: MarketCode, head: string, outcomes: Iterable<OutcomePrices>): string {
  const texts = Array.from(outcomes, outcomeText).join(',')
  return `{"event":"${groupChannelName(code)}","data":{${head},"outcomes":[${texts}]}}`
}

function outcomeText({ code, status, outcome, bestBid, bestAsk, lastPrice }: OutcomePrices): string {
  const state = `"status":"${status}","outcome":${outcome === undefined ? 'null' : `"${outcome}"`}`
  const prices = `"best_bid":${priceText(bestBid)},"best_ask":${priceText(bestAsk)}`
  return `{"event_id":"${code}",${state},${prices},"last_price":${priceText(lastPrice)}}`
}
