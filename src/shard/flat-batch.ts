import type { Settlement } from '../core/engine-event.js'
import type { BatchPart } from '../core/order-names.js'
import type { CashEntry } from '../core/postings.js'
import type { TimeMs } from '../core/units.js'
import type { Arrival, TakenBatch } from '../store/merge/taken-batch.js'
import type { Cells } from './cells.js'
import { CellReader, CellWriter, NONE } from './cells.js'
import { OutcomeReader, OutcomeWriter } from './outcome-cells.js'

/** A committed batch as a shard tells it to the follower. */
export interface FlatBatch extends Cells {
  /** The other commands, edits and what happened to groups, as JSON; undefined without any. */
  readonly rare: string | undefined
  /** Its hash in the journal. */
  readonly hash: Uint8Array
}

type Rare = Pick<TakenBatch, 'others'> & Pick<TakenBatch['outcome'], 'edits' | 'groups' | 'conversions'>

const NOTHING_RARE: Rare = { others: [], edits: [], groups: [], conversions: [] }

/** Writes batches for the follower. */
export class FlatWriter {
  readonly #to = new CellWriter()
  readonly #outcome = new OutcomeWriter(this.#to)

  write({ place, commandsCount, arrivals, others, outcome }: TakenBatch, hash: Uint8Array): FlatBatch {
    const to = this.#to
    const { trades, orders, markets, accounts, positions, entries, settlements, makers } = outcome
    to.numbers(place.sequence, place.at, commandsCount)
    to.list(arrivals, arrival => this.#arrival(arrival))
    to.list(trades, ({ market, seq, taker, takerOwner, takerSide, fills }) => {
      to.numbers(market, seq, taker, takerOwner)
      to.word(takerSide)
      to.list(fills, fill => this.#outcome.fill(fill))
    })
    to.list(orders, change => this.#outcome.order(change))
    to.list(markets, change => this.#outcome.market(change))
    to.list(accounts, posting => this.#outcome.account(posting))
    to.list(positions, posting => this.#outcome.position(posting))
    to.list(entries, entry => this.#entry(entry))
    to.list(settlements, settlement => this.#settlement(settlement))
    to.list(makers, maker => to.numbers(maker))
    const { edits, groups, conversions } = outcome
    const isRare = others.length + edits.length + groups.length + conversions.length > 0
    const rare: Rare = { others, edits, groups, conversions }
    return { ...to.take(), rare: isRare ? JSON.stringify(rare) : undefined, hash }
  }

  /** An order arrives at the time of its batch. */
  #arrival({ market, number, quantity, fixed, key, batch }: Arrival): void {
    const to = this.#to
    const [suffix, account, side, outcome, orderType, selfTrade, price, asked, _at, ...options] = fixed
    const [expiresAt, timeInForce, postOnly, reduceOnly, name, quoteSet, feeTaker, feeMaker] = options
    to.numbers(market, number, quantity, account, price)
    to.numbers(expiresAt ?? NONE, postOnly, reduceOnly, feeTaker, feeMaker, batch?.index ?? NONE)
    for (const word of [suffix, side, outcome, orderType, selfTrade, asked, timeInForce, name, quoteSet]) {
      to.word(word)
    }
    for (const word of [key?.name, key?.fingerprint, batch?.name, batch?.fingerprint]) to.word(word)
  }

  #entry({ account, kind, change, fee, market, order, trade, txnId }: CashEntry): void {
    const to = this.#to
    to.numbers(account, change, fee ?? NONE, market ?? NONE, order ?? NONE, trade ?? NONE)
    to.word(kind)
    to.word(txnId)
  }

  #settlement({ market, account, outcome, yes, no, paid, payment }: Settlement): void {
    this.#to.numbers(market, account, yes, no, paid, payment)
    this.#to.word(outcome)
  }
}

/** Reads a batch back. */
export function readBatch(flat: FlatBatch): TakenBatch {
  return new BatchReader(flat).read()
}

class BatchReader {
  readonly #from: CellReader
  readonly #outcome: OutcomeReader
  readonly #rare: Rare

  constructor(flat: FlatBatch) {
    this.#from = new CellReader(flat)
    this.#outcome = new OutcomeReader(this.#from)
    this.#rare = flat.rare === undefined ? NOTHING_RARE : (JSON.parse(flat.rare) as Rare)
  }

  read(): TakenBatch {
    const from = this.#from
    const place: TakenBatch['place'] = { sequence: from.number(), at: from.number() }
    const commandsCount = from.number<number>()
    const { others, edits, groups, conversions } = this.#rare
    const arrivals = from.list(() => this.#arrival(place.at))
    const outcome = {
      trades: from.list(() => this.#traded()),
      orders: from.list(() => this.#outcome.order()),
      markets: from.list(() => this.#outcome.market()),
      accounts: from.list(() => this.#outcome.account()),
      positions: from.list(() => this.#outcome.position()),
      entries: from.list(() => this.#entry()),
      settlements: from.list(() => this.#settlement()),
      makers: from.list(() => from.number<TakenBatch['outcome']['makers'][number]>()),
      edits,
      groups,
      conversions,
    }
    from.assertRead()
    return { place, commandsCount, arrivals, others, outcome }
  }

  #arrival(at: TimeMs): Arrival {
    const from = this.#from
    const market: Arrival['market'] = from.number()
    const number: Arrival['number'] = from.number()
    const quantity: Arrival['quantity'] = from.number()
    const account: Arrival['account'] = from.number()
    const price = from.number<never>()
    const expiresAt = from.maybeNumber<never>() ?? null
    const [postOnly, reduceOnly] = [from.number<0 | 1>(), from.number<0 | 1>()]
    const [feeTaker, feeMaker] = [from.number<number>(), from.number<number>()]
    const index = from.number<number>()
    const suffix = from.word()
    const [side, outcome] = [from.word<never>(), from.word<never>()]
    const [orderType, selfTrade] = [from.word<never>(), from.word<never>()]
    const asked = from.maybeWord() ?? null
    const timeInForce = from.word<never>()
    const name = from.maybeWord() ?? null
    const quoteSet = from.maybeWord() ?? null
    const key = this.#named()
    const batch = this.#named()
    return {
      market,
      number,
      account,
      quantity,
      fixed: [
        ...([suffix, account, side, outcome, orderType, selfTrade, price, asked, at] as const),
        ...([expiresAt, timeInForce, postOnly, reduceOnly, name, quoteSet, feeTaker, feeMaker] as const),
      ],
      key,
      batch: batch && ({ index, ...batch } satisfies BatchPart),
    }
  }

  #named(): { readonly name: string; readonly fingerprint: string } | undefined {
    const name = this.#from.maybeWord()
    const fingerprint = this.#from.maybeWord()
    return name === undefined || fingerprint === undefined ? undefined : { name, fingerprint }
  }

  #traded(): TakenBatch['outcome']['trades'][number] {
    const from = this.#from
    return {
      type: 'traded',
      market: from.number(),
      seq: from.number(),
      taker: from.number(),
      takerOwner: from.number(),
      takerSide: from.word(),
      fills: from.list(() => this.#outcome.fill()),
    }
  }

  #entry(): CashEntry {
    const from = this.#from
    const account: CashEntry['account'] = from.number()
    const change = from.number<number>()
    const fee = from.maybeNumber<NonNullable<CashEntry['fee']>>()
    const market = from.maybeNumber<NonNullable<CashEntry['market']>>()
    const order = from.maybeNumber<NonNullable<CashEntry['order']>>()
    const trade = from.maybeNumber<number>()
    const kind = from.word<CashEntry['kind']>()
    const txnId = from.maybeWord()
    return { account, kind, change, fee, market, order, trade, txnId } as CashEntry
  }

  #settlement(): Settlement {
    const from = this.#from
    return {
      market: from.number(),
      account: from.number(),
      yes: from.number(),
      no: from.number(),
      paid: from.number(),
      payment: from.number(),
      outcome: from.word(),
    }
  }
}
