import { toOrderRequest } from '../../../src/api/orders/order-schema.js'
import type { OrderRequest } from '../../../src/core/order-request.js'
import type { TimeMs } from '../../../src/core/units.js'
import { TICKS_PER_RUPEE } from '../../../src/core/units.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import { fingerprintOf } from '../../../src/exchange/orders/request-fingerprint.js'
import type { Dice } from '../../fixtures/dice.js'

/** Few prices, as shares of the payout, so that most orders match or tie. */
const PRICES = [0.3, 0.48, 0.5, 0.5, 0.52, 0.7] as const
const QUANTITIES = [0.01, 0.1, 1, 1, 2, 2, 2, 5, 5, 10] as const
const ODD_QUANTITIES = [1.001, 0.005, 1_000_000_000, 1_000_000_001, 1e12] as const
const DATES_MS = [-1, 0, 1, 1, 5, 1000, 60_000, 240_000] as const

/** Makes an order as a client could send it: mostly valid, sometimes at a limit or beyond it. */
export function randomOrder(
  dice: Dice,
  market: DeskMarket,
  users: readonly [string, ...string[]],
  now: number,
): OrderRequest {
  const { payout, tickSize, code } = market.terms
  const price = dice.percent(8) ? oddPrice(dice, payout, tickSize) : commonPrice(dice, payout, tickSize)
  const quantity = dice.percent(4) ? dice.oneOf(ODD_QUANTITIES) : dice.oneOf(QUANTITIES)
  const request = toOrderRequest(
    {
      event_id: String(code),
      l1_expected_price: price / TICKS_PER_RUPEE,
      l1_order_quantity: dice.percent(10) ? dice.between(1, 2000) / 100 : quantity,
      offer_type: dice.oneOf(['buy', 'sell']),
      order_type: dice.percent(18) ? 'MO' : 'LO',
      userid: dice.oneOf(users),
      outcome: dice.oneOf(['yes', 'yes', 'no']),
      self_trade_prevention: dice.oneOf(['taker', 'taker', 'maker', 'off']),
    },
    market.terms,
    fingerprintOf,
  )
  const until = (now + dice.oneOf(DATES_MS)) as TimeMs
  if (request.orderType === 'MO' || !dice.percent(45)) return request
  return {
    ...request,
    ...dice.oneOf<Options>([
      { expiresAt: until },
      { expiresAt: until, timeInForce: 'GTD' },
      { timeInForce: 'GTC' },
      { timeInForce: 'IOC' },
      { timeInForce: 'IOC' },
      { timeInForce: 'FOK' },
      { timeInForce: 'FOK' },
      { postOnly: true },
      { reduceOnly: true },
      { reduceOnly: true, timeInForce: 'IOC' },
      { postOnly: true, expiresAt: until },
      { validUntil: until },
      { validUntil: until },
      { validUntil: until },
    ]),
  }
}

type Options = Partial<OrderRequest>

function commonPrice(dice: Dice, payout: number, tickSize: number): number {
  return Math.round((dice.oneOf(PRICES) * payout) / tickSize) * tickSize
}

/** Returns a price at a limit, beyond it, or between two ticks. */
function oddPrice(dice: Dice, payout: number, tickSize: number): number {
  const middle = Math.round(payout / 2 / tickSize) * tickSize
  return dice.oneOf([10, payout - 10, 9, payout - 9, middle + tickSize / 2, middle + 1])
}
