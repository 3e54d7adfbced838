import { unitCost } from '../../core/order.js'
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
  for (const [code, { followed }] of replay.markets) {
    const { payout } = followed.terms
    for (const [account, { yes, no, paid, net, flow }] of followed.positions) {
      const name = () => `account ${account} in market ${code}`
      if (yes - no !== net) findings.add(() => `${name()}: ${yes} YES and ${no} NO, by the fills ${net} more`)
      if (paid !== flow + payout * no) {
        findings.add(() => `${name()}: ${paid} put in, by the fills ${flow + payout * no}`)
      }
      add(putIn, account, paid)
    }
    for (const { account, side, price, remaining, covered } of followed.orders.values()) {
      add(needed, account, unitCost(side, price as never, payout) * (remaining - covered))
    }
  }
  let sum = 0
  for (const [number, { owner, cash, held, entered, broughtIn }] of replay.accounts) {
    const name = `account ${number} (${owner})`
    sum += cash
    const holds = needed.get(number) ?? 0
    if (held !== holds) findings.add(() => `${name}: ${held} held, its orders need ${holds}`)
    if (!owner.startsWith('user:') && owner !== 'house') continue
    if (entered !== cash) findings.add(() => `${name}: cash ${cash}, its entries sum to ${entered}`)
    const expected = broughtIn - (putIn.get(number) ?? 0)
    if (expected !== cash) findings.add(() => `${name}: cash ${cash}, by the fills ${expected}`)
  }
  if (sum !== 0) findings.add(() => `the cash of all accounts sums to ${sum}`)
}

function add(sums: Map<number, number>, key: number, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value)
}
