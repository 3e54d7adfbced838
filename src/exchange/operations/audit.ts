import { restingHold } from '../../core/fees.js'
import { EXTERNAL } from '../../core/ledger.js'
import { oppositeSide } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import { unfilledOf } from '../../core/order-record.js'
import type { AccountNumber } from '../../core/units.js'
import type { Desk } from '../desk.js'
import type { DeskMarket } from '../markets/desk-market.js'
import { deskPoolFault } from '../markets/desk-pool.js'

/**
 * Checks the invariants of money and contracts (invariants, I1 to I3) against accounts, positions and open
 * orders, of the markets in memory. Returns the first violated rule; undefined if all hold.
 */
export function auditMoney(desk: Desk): string | undefined {
  let sum = 0
  for (const [number, { cash, held }] of desk.ledger.accounts()) {
    sum += cash
    if (number !== EXTERNAL && (held < 0 || held > cash)) return `account ${number} holds ${held} of ${cash}`
  }
  if (sum !== 0) return `the cash of all accounts sums to ${sum}, not to zero`

  const held = new Map<AccountNumber, number>()
  for (const market of desk.markets.allInMemory()) {
    const broken = auditMarket(desk, market, held)
    if (broken !== undefined) return `market ${market.terms.code}: ${broken}`
  }
  for (const [number, balance] of desk.ledger.accounts()) {
    const expected = held.get(number) ?? 0
    if (balance.held !== expected) return `account ${number} holds ${balance.held}, its orders ${expected}`
  }
  return undefined
}

function auditMarket(desk: Desk, market: DeskMarket, held: Map<AccountNumber, number>): string | undefined {
  const { terms, pool } = market
  const fault = deskPoolFault(desk.ledger, pool)
  if (fault !== undefined) return fault

  const locked = new Map<string, number>()
  for (const order of market.openOrders.holdings()) {
    const { side, price, covered, feeMaker: rate, feeCredit: credit } = order
    const resting = { side, price, lots: unfilledOf(order), covered }
    add(held, order.account, restingHold(resting, terms.payout, { rate, credit }))
    if (covered > 0) add(locked, lockKey(order), covered)
  }
  for (const [account, contracts] of desk.ledger.positions(terms.code)) {
    for (const outcome of ['yes', 'no'] as const) {
      const expected = locked.get(`${account} ${outcome}`) ?? 0
      const actual = outcome === 'yes' ? contracts.yesLocked : contracts.noLocked
      if (actual !== expected)
        return `account ${account} has ${actual} ${outcome} locked, its orders ${expected}`
    }
  }
  return undefined
}

function lockKey(order: Pick<OrderRecord, 'account' | 'side'>): string {
  return `${order.account} ${oppositeSide(order.side)}`
}

function add<Key>(sums: Map<Key, number>, key: Key, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value)
}
