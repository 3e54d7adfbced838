import type { Balance } from '../../core/ledger.js'
import type { MarketTerms } from '../../core/market.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { HeldContracts } from '../../core/records/position-record.js'
import type { UserMessage, UserSnapshot } from '../../core/records/user-message.js'
import type { TimeMs } from '../../core/units.js'
import { amount, amountToRupees, toContracts } from '../../core/units.js'
import { orderView } from '../orders/order-view.js'
import { fillView } from '../portfolio/portfolio-view.js'

/** Returns the terms of the market behind a user's order or fill. */
export type TermsOf = (of: Pick<OrderRecord, 'market'>) => MarketTerms

/** Orders or positions written in one go; takes less than a millisecond. */
const PART_ROWS = 32

/** Returns the name of a user's channel. */
export const userChannelName = (userId: string) => `user_${userId}`

/** Returns one message of the channel as text (specification 12). */
export function userMessageText(userId: string, message: UserMessage, termsOf: TermsOf): string {
  const { type, userSeq, at } = message
  return textOf(userId, { type, user_seq: userSeq, ts: at, ...bodyOf(message, termsOf) })
}

/**
 * Yields the snapshot that opens a user's channel, in parts of one text. Each part is written on its own and
 * holds a bounded number of orders or positions.
 */
export function* userSnapshotParts(
  userId: string,
  snapshot: UserSnapshot,
  at: TimeMs,
  termsOf: TermsOf,
): Generator<string, void> {
  const { userSeq, balance, positions, hasMorePositions, orders, hasMoreOrders } = snapshot
  const money = JSON.stringify(balance === undefined ? null : balanceView(balance))
  const head = `"type":"snapshot","user_seq":${userSeq},"ts":${at},"balance":${money}`
  yield `{"event":${JSON.stringify(userChannelName(userId))},"data":{${head},"positions":[`
  yield* listParts(positions, ({ market, contracts }) => heldView({ market, ...contracts }))
  yield `],"more_positions":${hasMorePositions},"orders":[`
  yield* listParts(orders, order => orderView(order, termsOf(order).payout))
  yield `],"more_orders":${hasMoreOrders}}}`
}

function* listParts<Row>(rows: readonly Row[], view: (row: Row) => object): Generator<string, void> {
  for (let from = 0; from < rows.length; from += PART_ROWS) {
    const texts = rows.slice(from, from + PART_ROWS).map(row => JSON.stringify(view(row)))
    yield (from === 0 ? '' : ',') + texts.join(',')
  }
}

/** Serializes a message; a user id is the client's own text and has to be escaped. */
function textOf(userId: string, data: object): string {
  return JSON.stringify({ event: userChannelName(userId), data })
}

function bodyOf(message: UserMessage, termsOf: TermsOf): object {
  switch (message.type) {
    case 'fill':
      return { fill: fillView(message.fill, termsOf(message.fill)) }
    case 'order':
      return { order: orderView(message.order, termsOf(message.order).payout) }
    case 'position':
      return { position: heldView(message.position) }
    case 'balance':
      return { balance: balanceView(message) }
  }
}

/** Returns the balance on disk, without holds for orders that are still on their way there. */
function balanceView({ cash, held }: Pick<Balance, 'cash' | 'held'>): object {
  return {
    cash: amountToRupees(cash),
    held: amountToRupees(held),
    available: amountToRupees(amount(cash - held)),
  }
}

function heldView({ market, yes, no, yesLocked, noLocked }: HeldContracts): object {
  return {
    event_id: String(market),
    yes: toContracts(yes),
    no: toContracts(no),
    yes_locked: toContracts(yesLocked),
    no_locked: toContracts(noLocked),
  }
}
