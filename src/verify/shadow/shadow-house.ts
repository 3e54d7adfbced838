import type { HouseCommand, RequoteHouse } from '../../core/command.js'
import type { FundQuotes } from '../../core/house/house-command.js'
import { RESTS_MAX } from '../../core/house/house-command.js'
import type { MarketTerms } from '../../core/market.js'
import { orNone } from '../stored/row-lines.js'
import type { ShadowOrder } from './shadow-order.js'

type Quote = Pick<ShadowOrder, 'side' | 'price'>

/** Quotes that the house was given for a market, as its commands describe them. */
export class ShadowHouse {
  readonly #funding: FundQuotes
  readonly #payout: number
  readonly #fundedAt: number
  #stoppedAt: number | undefined
  #returned = 0
  readonly losesMore: boolean

  constructor(funding: FundQuotes, payout: number, at: number) {
    this.#funding = funding
    this.#payout = payout
    this.#fundedAt = at
    this.losesMore = this.#losesMore()
  }

  stop(at: number): void {
    this.#stoppedAt ??= at
  }

  payBack(amount: number): void {
    this.#returned += amount
  }

  get isStopped(): boolean {
    return this.#stoppedAt !== undefined
  }

  /** The row of the table, without its key. */
  get cells(): (string | number)[] {
    const { market, round, budget, table } = this.#funding
    const { low, step, start, lots } = table
    const fixed = [market, round, budget, low, step, start, JSON.stringify(lots)]
    return [...fixed, this.#fundedAt, orNone(this.#stoppedAt), this.#returned]
  }

  /** Returns whether the table loses more than the budget: one outcome wins, with all of a side sold. */
  #losesMore(): boolean {
    const { low, step, start, lots } = this.#funding.table
    let [ifYes, ifNo] = [0n, 0n]
    for (const [cell, inCell] of lots.entries()) {
      const price = low + (cell < start ? cell : cell + 1) * step
      if (cell < start) ifNo += BigInt(price) * BigInt(inCell)
      else ifYes += BigInt(this.#payout - price) * BigInt(inCell)
    }
    return ifYes > this.#funding.budget || ifNo > this.#funding.budget
  }

  /** Returns true if an order that arrives may rest as a whole. @param net YES less NO of the house */
  mayRest({ side, price, remaining }: Quote & Pick<ShadowOrder, 'remaining'>, net: number): boolean {
    return remaining <= this.#lotsAt({ side, price }, net)
  }

  /** Returns what is wrong with the orders that rest. */
  faults(resting: readonly ShadowOrder[], net: number): string[] {
    const faults: string[] = []
    const seen = new Set<string>()
    for (const { number, side, price, remaining } of resting) {
      const most = this.#lotsAt({ side, price }, net)
      if (remaining > most) faults.push(`order ${number} of the house has ${remaining}, its table ${most}`)
      if (seen.size === seen.add(`${side} ${price}`).size) faults.push(`two quotes of the house at ${price}`)
    }
    for (const side of ['yes', 'no']) {
      const count = resting.filter(order => order.side === side).length
      if (count > RESTS_MAX) faults.push(`${count} ${side} quotes of the house`)
    }
    return faults
  }

  /**
   * Returns what a requote has left out, if nothing traded since it was computed: from the nearest rung of a
   * side on, each has what the table says, up to the last one that the money paid for.
   */
  gaps(resting: readonly ShadowOrder[], net: number): string[] {
    return (['yes', 'no'] as const).flatMap(side => {
      const own = resting.filter(order => order.side === side)
      const wanted = this.#rungs(side)
        .map(price => ({ price, lots: this.#lotsAt({ side, price }, net) }))
        .filter(({ lots }) => lots > 0)
      return wanted.slice(0, Math.max(0, own.length - 1)).flatMap(({ price, lots }) => {
        const rests = own.find(order => order.price === price)?.remaining ?? 0
        return rests === lots ? [] : [`the house quotes ${rests} of ${lots} ${side} at ${price}`]
      })
    })
  }

  /** Returns the prices of a side, the best first. */
  #rungs(side: 'yes' | 'no'): number[] {
    const { low, step, lots } = this.#funding.table
    const prices = Array.from({ length: lots.length + 1 }, (_, rung) => low + rung * step)
    return side === 'yes' ? prices.reverse() : prices
  }

  /** Returns what may rest at a price: of the cell below for an ask, of the one above for a bid. */
  #lotsAt({ side, price }: Quote, net: number): number {
    const { low, step, start, lots } = this.#funding.table
    const rung = (price - low) / step
    const cell = side === 'yes' ? rung : rung - 1
    const inCell = lots[cell]
    if (inCell === undefined) return 0
    const sum = (from: number, to: number) => lots.slice(from, to).reduce((all, each) => all + each, 0)
    const before = cell >= start ? sum(start, cell) : -sum(cell, start)
    const sold = Math.min(inCell, Math.max(0, -net - before))
    return side === 'yes' ? sold : inCell - sold
  }
}

/** The part of a market that its house quotes are checked against. */
interface QuotedMarket {
  readonly terms: MarketTerms
  readonly trades: number
  readonly orders: ReadonlyMap<number, ShadowOrder>
  readonly positions: ReadonlyMap<number, { readonly net: number }>
  readonly houses: Map<number, ShadowHouse>
  requote: RequoteHouse | undefined
}

/** Follows a command on the house quotes of a market; returns the money that it brings their account. */
export function followHouse(market: QuotedMarket, command: HouseCommand, at: number): number {
  const { account } = command
  switch (command.type) {
    case 'FUND_QUOTES':
      market.houses.set(account, new ShadowHouse(command, market.terms.payout, at))
      return command.budget
    case 'STOP_QUOTES':
      market.houses.get(account)?.stop(at)
      return 0
    case 'REQUOTE_HOUSE':
      market.requote = command
      return 0
    default:
      market.houses.get(account)?.payBack(command.amount)
      return -command.amount
  }
}

/** Returns what is wrong with the house quotes of a market at the end of a batch. */
export function housesFaults(market: QuotedMarket): string[] {
  const { requote, houses, orders, terms } = market
  market.requote = undefined
  const faults: string[] = []
  for (const [account, house] of houses) {
    const say = (fault: string) => faults.push(`market ${terms.code}: ${fault}`)
    if (house.losesMore) say(`the quotes of account ${account} can lose more than their budget`)
    if (house.isStopped) continue
    const net = market.positions.get(account)?.net ?? 0
    const resting = [...orders.values()].filter(order => order.account === account && order.isResting)
    house.faults(resting, net).forEach(say)
    if (requote?.account !== account || requote.trades !== market.trades) continue
    const isWhole = requote.orders.every(({ number }) => orders.get(number)?.isResting)
    if (isWhole) house.gaps(resting, net).forEach(say)
  }
  return faults
}
