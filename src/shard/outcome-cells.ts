import type { Fill, MarketChange, OrderChange } from '../core/engine-event.js'
import type { AccountPosting, PositionPosting } from '../core/postings.js'
import type { CellReader, CellWriter } from './cells.js'
import { NONE } from './cells.js'

/** Writes what the desk and the tables hear of an outcome. */
export class OutcomeWriter {
  readonly #to: CellWriter

  constructor(to: CellWriter) {
    this.#to = to
  }

  fill({ trade, price, quantity, maker, makerOwner }: Fill): void {
    this.#to.numbers(trade, price, quantity, maker, makerOwner)
  }

  order(change: OrderChange): void {
    const { market, number, account, filled, filledValue, reduced, covered, fee, feeCredit } = change
    this.#to.numbers(market, number, account, filled, filledValue, reduced, covered, fee, feeCredit)
    this.#to.word(change.state)
    this.#to.word(change.reason)
  }

  market({ code, status, outcome, seq, trades, lastPrice, volume, openPairs, fees }: MarketChange): void {
    this.#to.numbers(code, seq, trades, lastPrice ?? NONE, volume, openPairs, fees)
    this.#to.word(status)
    this.#to.word(outcome)
  }

  account({ account, cash, held }: AccountPosting): void {
    this.#to.numbers(account, cash, held)
  }

  position({ market, account, yes, no, yesLocked, noLocked, paid }: PositionPosting): void {
    this.#to.numbers(market, account, yes, no, yesLocked, noLocked, paid)
  }
}

/** Reads it back. */
export class OutcomeReader {
  readonly #from: CellReader

  constructor(from: CellReader) {
    this.#from = from
  }

  fill(): Fill {
    const from = this.#from
    return {
      trade: from.number(),
      price: from.number(),
      quantity: from.number(),
      maker: from.number(),
      makerOwner: from.number(),
    }
  }

  order(): OrderChange {
    const from = this.#from
    return {
      market: from.number(),
      number: from.number(),
      account: from.number(),
      filled: from.number(),
      filledValue: from.number(),
      reduced: from.number(),
      covered: from.number(),
      fee: from.number(),
      feeCredit: from.number(),
      state: from.maybeWord<never>(),
      reason: from.maybeWord<never>(),
    }
  }

  market(): MarketChange {
    const from = this.#from
    const code: MarketChange['code'] = from.number()
    const seq = from.number<number>()
    const trades = from.number<number>()
    const lastPrice = from.maybeNumber<NonNullable<MarketChange['lastPrice']>>()
    const volume: MarketChange['volume'] = from.number()
    const openPairs: MarketChange['openPairs'] = from.number()
    const fees: MarketChange['fees'] = from.number()
    const status = from.word<MarketChange['status']>()
    const outcome = from.maybeWord<NonNullable<MarketChange['outcome']>>()
    return { code, status, outcome, seq, trades, lastPrice, volume, openPairs, fees }
  }

  account(): AccountPosting {
    const from = this.#from
    return { account: from.number(), cash: from.number(), held: from.number() }
  }

  position(): PositionPosting {
    const from = this.#from
    return {
      market: from.number(),
      account: from.number(),
      yes: from.number(),
      no: from.number(),
      yesLocked: from.number(),
      noLocked: from.number(),
      paid: from.number(),
    }
  }
}
