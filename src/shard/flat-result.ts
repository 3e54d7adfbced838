import { assert, unreachable } from '../core/assert.js'
import type { EngineEvent } from '../core/engine-event.js'
import type { BatchResult, UpdatedUser } from './batch-runner.js'
import type { Cells } from './cells.js'
import { CellReader, CellWriter } from './cells.js'
import { OutcomeReader, OutcomeWriter } from './outcome-cells.js'

/** A `BatchResult` as it crosses threads; what few batches have is JSON. */
export interface FlatResult extends Cells {
  /** Edits, transfers and what happened to groups, as JSON; undefined if the batch has none of these. */
  readonly rare: string | undefined
}

type Rare = Pick<BatchResult['outcome'], 'edits' | 'groups' | 'conversions'> & Pick<BatchResult, 'transfers'>

const NOTHING_RARE: Rare = { edits: [], groups: [], conversions: [], transfers: [] }

const PLACED = 0
const TRADED = 1
const CANCELLED = 2
const REJECTED = 3
const MOVED = 4
const BOOK = 5

/** Writes results. */
export class ResultWriter {
  readonly #to = new CellWriter()
  readonly #outcome = new OutcomeWriter(this.#to)

  write({ sequence, at, outcome, updatedUsers, transfers }: BatchResult): FlatResult {
    const to = this.#to
    const { events, orders, markets, edits, groups, conversions, accounts, positions } = outcome
    to.numbers(sequence, at)
    to.list(events, event => this.#event(event))
    to.list(orders, change => this.#outcome.order(change))
    to.list(markets, change => this.#outcome.market(change))
    to.list(accounts, posting => this.#outcome.account(posting))
    to.list(positions, posting => this.#outcome.position(posting))
    to.list(updatedUsers, ([account, count]) => to.numbers(account, count))
    const rare: Rare = { edits, groups, conversions, transfers }
    const isRare = Object.values(rare).some(list => list.length > 0)
    return { ...to.take(), rare: isRare ? JSON.stringify(rare) : undefined }
  }

  #event(event: EngineEvent): void {
    const to = this.#to
    to.numbers(event.market, event.seq)
    switch (event.type) {
      case 'order_placed':
        to.numbers(PLACED, event.order, event.executed)
        to.list(event.fills, fill => this.#outcome.fill(fill))
        break
      case 'traded':
        to.numbers(TRADED, event.taker, event.takerOwner)
        to.word(event.takerSide)
        to.list(event.fills, fill => this.#outcome.fill(fill))
        break
      case 'order_cancelled':
        to.numbers(CANCELLED, event.order, event.remaining)
        to.word(event.reason)
        break
      case 'order_rejected':
        to.numbers(REJECTED, event.order)
        to.word(event.reason)
        break
      case 'market_moved':
        to.numbers(MOVED)
        to.word(event.status)
        to.word(event.outcome)
        break
      case 'book_changed':
        to.numbers(BOOK)
        to.list(event.bids, ([price, quantity]) => to.numbers(price, quantity))
        to.list(event.asks, ([price, quantity]) => to.numbers(price, quantity))
        break
      default:
        unreachable(event)
    }
  }
}

/** Reads a result back. */
export function readResult(flat: FlatResult): BatchResult {
  return new ResultReader(flat).read()
}

class ResultReader {
  readonly #from: CellReader
  readonly #outcome: OutcomeReader
  readonly #rare: Rare

  constructor(flat: FlatResult) {
    this.#from = new CellReader(flat)
    this.#outcome = new OutcomeReader(this.#from)
    this.#rare = flat.rare === undefined ? NOTHING_RARE : (JSON.parse(flat.rare) as Rare)
  }

  read(): BatchResult {
    const from = this.#from
    const sequence: BatchResult['sequence'] = from.number()
    const at: BatchResult['at'] = from.number()
    const outcome = {
      events: from.list(() => this.#event()),
      orders: from.list(() => this.#outcome.order()),
      markets: from.list(() => this.#outcome.market()),
      accounts: from.list(() => this.#outcome.account()),
      positions: from.list(() => this.#outcome.position()),
      edits: this.#rare.edits,
      groups: this.#rare.groups,
      conversions: this.#rare.conversions,
    }
    const updatedUsers = from.list((): UpdatedUser => [from.number(), from.number()])
    from.assertRead()
    return { sequence, at, outcome, updatedUsers, transfers: this.#rare.transfers }
  }

  #event(): EngineEvent {
    const from = this.#from
    const market: EngineEvent['market'] = from.number()
    const seq = from.number<number>()
    const kind = from.number<number>()
    if (kind === PLACED) {
      const [order, executed] = [from.number<never>(), from.number<never>()]
      const fills = from.list(() => this.#outcome.fill())
      return { market, seq, type: 'order_placed', order, executed, fills }
    }
    if (kind === TRADED) {
      const [taker, takerOwner] = [from.number<never>(), from.number<never>()]
      const takerSide = from.word<never>()
      const fills = from.list(() => this.#outcome.fill())
      return { market, seq, type: 'traded', taker, takerOwner, takerSide, fills }
    }
    if (kind === CANCELLED) {
      const [order, remaining] = [from.number<never>(), from.number<never>()]
      return { market, seq, type: 'order_cancelled', order, remaining, reason: from.word<never>() }
    }
    if (kind === REJECTED) {
      return { market, seq, type: 'order_rejected', order: from.number(), reason: from.word<never>() }
    }
    if (kind === MOVED) {
      const status = from.word<never>()
      return { market, seq, type: 'market_moved', status, outcome: from.maybeWord<never>() }
    }
    assert(kind === BOOK, 'a result has known events only')
    const level = () => [from.number<never>(), from.number<never>()] as const
    return { market, seq, type: 'book_changed', bids: from.list(level), asks: from.list(level) }
  }
}
