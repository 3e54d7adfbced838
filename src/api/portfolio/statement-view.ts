import { tradeId } from '../../core/market.js'
import { orderId } from '../../core/order-record.js'
import type { EntryRow, SettlementRow } from '../../core/records/statement-record.js'
import type { OrderNumber } from '../../core/units.js'
import { amount, amountToRupees, toContracts } from '../../core/units.js'
import type { EntryAnswer, SettlementAnswer } from './statement-answer.js'
import { placeText } from './statement-cursor.js'

const iso = (ms: number) => new Date(ms).toISOString()

/**
 * Returns a line of a statement as its user sees it (specification 11): INR; fields that do not apply are
 * null.
 */
export function entryView(entry: EntryRow): EntryAnswer {
  const { market, orderNumber, orderSuffix, trade } = entry
  return {
    id: placeText(entry),
    createdAt: iso(entry.at),
    type: entry.kind,
    amount: amountToRupees(amount(entry.change)),
    ...(entry.fee > 0 && { fee: amountToRupees(amount(entry.fee)) }),
    cash: amountToRupees(entry.cash),
    event_id: market === null ? null : String(market),
    order_id:
      market === null || orderNumber === null || orderSuffix === null
        ? null
        : orderId({ market, number: orderNumber as OrderNumber, suffix: orderSuffix }),
    trade_id: market === null || trade === null || entry.kind !== 'trade' ? null : tradeId(market, trade),
    txn_id: entry.txnId,
  }
}

/** Returns the result of one event for a user. `result` is the payout less the stake. */
export function settlementView({
  market,
  outcome,
  yes,
  no,
  paid,
  payment,
  at,
}: SettlementRow): SettlementAnswer {
  return {
    event_id: String(market),
    outcome,
    yes: toContracts(yes),
    no: toContracts(no),
    paid: amountToRupees(amount(paid)),
    payment: amountToRupees(amount(payment)),
    result: amountToRupees(amount(payment - paid)),
    settledAt: iso(at),
  }
}
