import type { MarketStatus } from '../../core/market.js'
import { restingHold } from '../../core/fees.js'
import type { Findings } from '../findings.js'
import type { Replay } from './replay.js'

/**
 * Counts the money of the replay a second time, from the fills and deposits alone, without knowledge of
 * covered parts: whether a lot bought YES or sold NO, it changes YES − NO by one, and its price changes the
 * user's stake, less the payout of their NO.
 */
export function countAgain(replay: Replay, findings: Findings): void {
  const putIn = new Map<number, number>()
  const needed = new Map<number, number>()
  let swept = 0
  for (const [code, { followed, change }] of replay.markets) {
    const { payout, pool } = followed.terms
    const { total } = followed.fees
    if (isSwept(replay, pool, change.status)) swept += total
    if (change.fees !== total)
      findings.add(() => `market ${code}: ${change.fees} in fees, by its fills ${total}`)
    for (const [account, { yes, no, paid, net, flow, fees }] of followed.positions) {
      const name = () => `account ${account} in market ${code}`
      if (yes - no !== net) findings.add(() => `${name()}: ${yes} YES and ${no} NO, by the fills ${net} more`)
      // What is put into an exclusive group is counted for the group.
      const cost = pool === undefined ? flow + fees + payout * no : 0
      if (paid !== cost) findings.add(() => `${name()}: ${paid} put in, by the fills ${cost}`)
      add(putIn, account, paid)
    }
    for (const order of followed.orders.values()) {
      const { account, side, price, remaining, covered, feeMaker: rate } = order
      const resting = { side, price: price as never, lots: remaining as never, covered: covered as never }
      add(needed, account, restingHold(resting, payout, { rate, credit: followed.fees.creditOf(order) }))
    }
  }
  for (const [code, group] of replay.groups) {
    for (const [account, { paid }] of group.payments) {
      const expected = group.expected(account)
      if (paid !== expected) {
        findings.add(() => `account ${account} in group ${code}: ${paid} put in, by the fills ${expected}`)
      }
      add(putIn, account, paid)
    }
  }
  let sum = 0
  for (const [number, { owner, cash, held, entered, broughtIn }] of replay.accounts) {
    const name = `account ${number} (${owner})`
    sum += cash
    if (owner === 'fees' && cash !== swept) {
      findings.add(() => `${name}: cash ${cash}, by the events settled ${swept}`)
    }
    const holds = needed.get(number) ?? 0
    if (held !== holds) findings.add(() => `${name}: ${held} held, its orders need ${holds}`)
    if (!owner.startsWith('user:') && !owner.startsWith('maker:') && owner !== 'house') continue
    if (entered !== cash) findings.add(() => `${name}: cash ${cash}, its entries sum to ${entered}`)
    const expected = broughtIn - (putIn.get(number) ?? 0)
    if (expected !== cash) findings.add(() => `${name}: cash ${cash}, by the fills ${expected}`)
  }
  if (sum !== 0) findings.add(() => `the cash of all accounts sums to ${sum}`)
}

/** Returns whether fees have left the escrow: those of a group do once all its markets are settled. */
function isSwept({ groups, markets }: Replay, pool: number | undefined, status: MarketStatus): boolean {
  if (pool === undefined) return status === 'settled'
  const all = groups.get(pool)?.markets ?? []
  return all.every(({ terms }) => markets.get(terms.code)?.change.status === 'settled')
}

function add(sums: Map<number, number>, key: number, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value)
}
