import { assert, unreachable } from '../core/assert.js'
import type { EngineEvent, Fill, MarketChange, OrderChange } from '../core/engine-event.js'
import type { AccountPosting, PositionPosting } from '../core/postings.js'
import type { BatchResult, UpdatedUser } from './batch-runner.js'

/**
 * A `BatchResult` as it crosses threads: numbers in one array, whose memory is moved, not copied; the strings
 * among them by their index in `words`; and what few batches have, as JSON. Written and read as objects, a
 * result costs each thread three times as much.
 */
export interface FlatResult {
  readonly cells: Float64Array<ArrayBuffer>
  readonly words: readonly string[]
  /** Edits, transfers and what happened to groups, as JSON; undefined if the batch has none of these. */
  readonly rare: string | undefined
}

type Rare = Pick<BatchResult['outcome'], 'edits' | 'groups' | 'conversions'> & Pick<BatchResult, 'transfers'>

const NOTHING_RARE: Rare = { edits: [], groups: [], conversions: [], transfers: [] }

/** The index of a word that is missing, and the number that is. */
const NONE = -1
const CELLS_FIRST = 4096

const PLACED = 0
const TRADED = 1
const CANCELLED = 2
const REJECTED = 3
const MOVED = 4
const BOOK = 5

/** Writes results; keeps its array from one to the next. */
export class ResultWriter {
  #cells = new Float64Array(CELLS_FIRST)
  #length = 0
  #words = new Map<string, number>()

  write({ sequence, at, outcome, updatedUsers, transfers }: BatchResult): FlatResult {
    this.#length = 0
    this.#words = new Map()
    const { events, orders, markets, edits, groups, conversions, accounts, positions } = outcome
    this.#numbers(sequence, at)
    this.#list(events, event => this.#event(event))
    this.#list(orders, change => this.#order(change))
    this.#list(markets, change => this.#market(change))
    this.#list(accounts, ({ account, cash, held }) => this.#numbers(account, cash, held))
    this.#list(positions, posting => this.#position(posting))
    this.#list(updatedUsers, ([account, count]) => this.#numbers(account, count))
    const rare: Rare = { edits, groups, conversions, transfers }
    const isRare = Object.values(rare).some(list => list.length > 0)
    return {
      cells: this.#cells.slice(0, this.#length),
      words: [...this.#words.keys()],
      rare: isRare ? JSON.stringify(rare) : undefined,
    }
  }

  #event(event: EngineEvent): void {
    this.#numbers(event.market, event.seq)
    switch (event.type) {
      case 'order_placed':
        this.#numbers(PLACED, event.order, event.executed)
        this.#list(event.fills, fill => this.#fill(fill))
        break
      case 'traded':
        this.#numbers(TRADED, event.taker, event.takerOwner)
        this.#word(event.takerSide)
        this.#list(event.fills, fill => this.#fill(fill))
        break
      case 'order_cancelled':
        this.#numbers(CANCELLED, event.order, event.remaining)
        this.#word(event.reason)
        break
      case 'order_rejected':
        this.#numbers(REJECTED, event.order)
        this.#word(event.reason)
        break
      case 'market_moved':
        this.#numbers(MOVED)
        this.#word(event.status)
        this.#word(event.outcome)
        break
      case 'book_changed':
        this.#numbers(BOOK)
        this.#list(event.bids, ([price, quantity]) => this.#numbers(price, quantity))
        this.#list(event.asks, ([price, quantity]) => this.#numbers(price, quantity))
        break
      default:
        unreachable(event)
    }
  }

  #fill({ trade, price, quantity, maker, makerOwner }: Fill): void {
    this.#numbers(trade, price, quantity, maker, makerOwner)
  }

  #order(change: OrderChange): void {
    const { market, number, account, filled, filledValue, reduced, covered, fee, feeCredit } = change
    this.#numbers(market, number, account, filled, filledValue, reduced, covered, fee, feeCredit)
    this.#word(change.state)
    this.#word(change.reason)
  }

  #market({ code, status, outcome, seq, trades, lastPrice, volume, openPairs, fees }: MarketChange): void {
    this.#numbers(code, seq, trades, lastPrice ?? NONE, volume, openPairs, fees)
    this.#word(status)
    this.#word(outcome)
  }

  #position({ market, account, yes, no, yesLocked, noLocked, paid }: PositionPosting): void {
    this.#numbers(market, account, yes, no, yesLocked, noLocked, paid)
  }

  #list<T>(list: readonly T[], write: (item: T) => void): void {
    this.#numbers(list.length)
    for (const item of list) write(item)
  }

  /** Takes a few numbers, never a list of them: the array is grown once. */
  #numbers(...numbers: readonly number[]): void {
    if (this.#length + numbers.length > this.#cells.length) this.#grow()
    for (let index = 0; index < numbers.length; index++) {
      this.#cells[this.#length + index] = numbers[index] as number
    }
    this.#length += numbers.length
  }

  #word(word: string | undefined): void {
    if (word === undefined) {
      this.#numbers(NONE)
      return
    }
    const known = this.#words.get(word)
    const index = known ?? this.#words.size
    if (known === undefined) this.#words.set(word, index)
    this.#numbers(index)
  }

  #grow(): void {
    const cells = new Float64Array(this.#cells.length * 2)
    cells.set(this.#cells)
    this.#cells = cells
  }
}

/** Reads a result back. */
export function readResult(flat: FlatResult): BatchResult {
  return new ResultReader(flat).read()
}

class ResultReader {
  readonly #cells: Float64Array
  readonly #words: readonly string[]
  readonly #rare: Rare
  #next = 0

  constructor({ cells, words, rare }: FlatResult) {
    this.#cells = cells
    this.#words = words
    this.#rare = rare === undefined ? NOTHING_RARE : (JSON.parse(rare) as Rare)
  }

  read(): BatchResult {
    const sequence: BatchResult['sequence'] = this.#number()
    const at: BatchResult['at'] = this.#number()
    const outcome = {
      events: this.#list(() => this.#event()),
      orders: this.#list(() => this.#order()),
      markets: this.#list(() => this.#market()),
      accounts: this.#list((): AccountPosting => {
        return { account: this.#number(), cash: this.#number(), held: this.#number() }
      }),
      positions: this.#list(() => this.#position()),
      edits: this.#rare.edits,
      groups: this.#rare.groups,
      conversions: this.#rare.conversions,
    }
    const updatedUsers = this.#list((): UpdatedUser => [this.#number(), this.#number()])
    assert(this.#next === this.#cells.length, 'a result is read to its end')
    return { sequence, at, outcome, updatedUsers, transfers: this.#rare.transfers }
  }

  #event(): EngineEvent {
    const market: EngineEvent['market'] = this.#number()
    const seq = this.#number<number>()
    const kind = this.#number<number>()
    if (kind === PLACED) {
      const [order, executed] = [this.#number<never>(), this.#number<never>()]
      return { market, seq, type: 'order_placed', order, executed, fills: this.#list(() => this.#fill()) }
    }
    if (kind === TRADED) {
      const [taker, takerOwner] = [this.#number<never>(), this.#number<never>()]
      const takerSide = this.#word<never>()
      const fills = this.#list(() => this.#fill())
      return { market, seq, type: 'traded', taker, takerOwner, takerSide, fills }
    }
    if (kind === CANCELLED) {
      const [order, remaining] = [this.#number<never>(), this.#number<never>()]
      return { market, seq, type: 'order_cancelled', order, remaining, reason: this.#word<never>() }
    }
    if (kind === REJECTED) {
      return { market, seq, type: 'order_rejected', order: this.#number(), reason: this.#word<never>() }
    }
    if (kind === MOVED) {
      const status = this.#word<never>()
      return { market, seq, type: 'market_moved', status, outcome: this.#maybeWord<never>() }
    }
    assert(kind === BOOK, 'a result has known events only')
    const level = () => [this.#number<never>(), this.#number<never>()] as const
    return { market, seq, type: 'book_changed', bids: this.#list(level), asks: this.#list(level) }
  }

  #fill(): Fill {
    return {
      trade: this.#number(),
      price: this.#number(),
      quantity: this.#number(),
      maker: this.#number(),
      makerOwner: this.#number(),
    }
  }

  #order(): OrderChange {
    return {
      market: this.#number(),
      number: this.#number(),
      account: this.#number(),
      filled: this.#number(),
      filledValue: this.#number(),
      reduced: this.#number(),
      covered: this.#number(),
      fee: this.#number(),
      feeCredit: this.#number(),
      state: this.#maybeWord<never>(),
      reason: this.#maybeWord<never>(),
    }
  }

  #market(): MarketChange {
    const code: MarketChange['code'] = this.#number()
    const seq = this.#number<number>()
    const trades = this.#number<number>()
    const last = this.#number<NonNullable<MarketChange['lastPrice']>>()
    const volume: MarketChange['volume'] = this.#number()
    const openPairs: MarketChange['openPairs'] = this.#number()
    const fees: MarketChange['fees'] = this.#number()
    const status = this.#word<MarketChange['status']>()
    const outcome = this.#maybeWord<NonNullable<MarketChange['outcome']>>()
    const lastPrice = last < 0 ? undefined : last
    return { code, status, outcome, seq, trades, lastPrice, volume, openPairs, fees }
  }

  #position(): PositionPosting {
    return {
      market: this.#number(),
      account: this.#number(),
      yes: this.#number(),
      no: this.#number(),
      yesLocked: this.#number(),
      noLocked: this.#number(),
      paid: this.#number(),
    }
  }

  #list<T>(read: () => T): T[] {
    const list: T[] = []
    for (let left = this.#number<number>(); left > 0; left--) list.push(read())
    return list
  }

  /** The caller knows which number comes next, as the writer has put them. */
  #number<N extends number>(): N {
    const number = this.#cells[this.#next]
    assert(number !== undefined, 'a result has no fewer cells than it says')
    this.#next++
    // As V8 keeps small integers: a field that is given a cell as it is gets a box for it in each object.
    const small = number | 0
    return (small === number ? small : number) as N
  }

  #word<W extends string>(): W {
    const word = this.#maybeWord<W>()
    assert(word !== undefined, 'a result has the words that it needs')
    return word
  }

  #maybeWord<W extends string>(): W | undefined {
    return this.#words[this.#number<number>()] as W | undefined
  }
}
