import { assert } from '../../core/assert.js'
import type { MarketTerms } from '../../core/market.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { SelfTradePrevention } from '../../core/order.js'
import type { AccountNumber, MarketCode, OrderNumber, TimeMs } from '../../core/units.js'
import { lots, NO_LOTS, NOTHING, ORDER_NUMBER_MAX, ticks } from '../../core/units.js'
import type { CellReader } from './cell-reader.js'

const SELF_TRADES: readonly SelfTradePrevention[] = ['taker', 'maker', 'off']
const WHENS = SELF_TRADES.map((name, index) => `WHEN '${name}' THEN ${index}`)
const SELF_TRADE = `CASE o.self_trade ${WHENS.join(' ')} END`

/** The arrays below have no greater numbers of accounts. */
const INT_MAX = 2 ** 31 - 1

/** Chooses the orders that rest as they came: what the cells below leave out has its usual value. */
export const IS_PLAIN = `o.number BETWEEN 1 AND ${ORDER_NUMBER_MAX} AND o.account BETWEEN 1 AND ${INT_MAX}
  AND o.state = 'resting' AND o.filled = 0 AND o.updated_at = o.created_at
  AND o.order_type = 'LO' AND o.time_in_force = 'GTC' AND o.expires_at IS NULL
  AND o.reason IS NULL AND o.asked IS NULL AND o.quote_set IS NULL
  AND o.filled_value = 0 AND o.fee_paid = 0 AND o.fee_credit = 0
  AND o.side IN ('yes', 'no') AND o.outcome IN ('yes', 'no') AND ${SELF_TRADE} IS NOT NULL`

/**
 * Such an order as text: its numbers, the lengths of its suffix and its key in bytes, and both of them. A key
 * that is missing has a length of −1.
 */
export const PLAIN_CELLS = `printf('%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,', o.number, o.account,
  (o.side = 'yes') + 2 * (o.outcome = 'yes') + 4 * (o.post_only = 1) + 8 * (o.reduce_only = 1)
    + 16 * ${SELF_TRADE},
  o.price, o.quantity, o.covered, o.created_at, o.fee_taker, o.fee_maker,
  octet_length(o.suffix), ifnull(octet_length(o.client_key), -1)) || o.suffix || ifnull(o.client_key, '')`

const [YES, OUTCOME_YES, POST_ONLY, REDUCE_ONLY, SELF_TRADE_BITS, HAS_KEY] = [1, 2, 4, 8, 4, 64]
/** The last two are where its suffix and its key end in the texts. */
const [NUMBER, ACCOUNT, FLAGS, SUFFIX_END, KEY_END, INTS] = [0, 1, 2, 3, 4, 5]
const [PRICE, QUANTITY, COVERED, CREATED_AT, FEE_TAKER, FEE_MAKER, DOUBLES] = [0, 1, 2, 3, 4, 5, 6]
const ROWS_FIRST = 16
const SUFFIX_MAX = 32

/** The part of a resting order by which it holds money or contracts of its user. */
export type Holding = Pick<
  OrderRecord,
  'account' | 'side' | 'price' | 'quantity' | 'filled' | 'covered' | 'feeMaker' | 'feeCredit'
>

/**
 * Orders that rest as they came, in flat arrays: 68 bytes and the texts of each, a fifth of a record. One has
 * a row, in the order in which they were added.
 */
export class PlainOrders {
  #length = 0
  #ints = new Int32Array(0)
  #doubles = new Float64Array(0)
  #texts = Buffer.alloc(0)
  #textsLength = 0

  get length(): number {
    return this.#length
  }

  /**
   * Adds an order whose number has been read. Returns false if it is not sound by itself: it is then the next
   * row, for `record`, until another one is added.
   */
  add(number: number, cells: CellReader, terms: Pick<MarketTerms, 'payout' | 'tickSize'>): boolean {
    const row = this.#length
    if ((row + 1) * INTS > this.#ints.length) this.#grow()
    const [at, from] = [row * INTS, row * DOUBLES]
    const [ints, doubles] = [this.#ints, this.#doubles]
    const account = cells.next()
    const flags = cells.next()
    for (let place = 0; place < DOUBLES; place++) doubles[from + place] = cells.next()
    const suffixLength = cells.next()
    const keyLength = cells.next()
    ints[at + NUMBER] = number
    ints[at + ACCOUNT] = account
    ints[at + FLAGS] = keyLength < 0 ? flags : flags | HAS_KEY
    const begin = this.#textsLength
    const end = begin + suffixLength + Math.max(0, keyLength)
    this.#keepTexts(cells.take(end - begin), end)
    ints[at + SUFFIX_END] = begin + suffixLength
    ints[at + KEY_END] = end
    assert(end <= INT_MAX, 'the ids and names of all open orders have less than 2 GB')
    if (!this.#isSound(row, terms) || !isSuffix(this.#texts, begin, begin + suffixLength)) return false
    this.#textsLength = end
    this.#length++
    return true
  }

  /** Frees the arrays. */
  clear(): void {
    this.#length = 0
    this.#textsLength = 0
    this.#ints = new Int32Array(0)
    this.#doubles = new Float64Array(0)
    this.#texts = Buffer.alloc(0)
  }

  numberAt(row: number): OrderNumber {
    return this.#ints[row * INTS + NUMBER] as OrderNumber
  }

  accountAt(row: number): AccountNumber {
    return this.#ints[row * INTS + ACCOUNT] as AccountNumber
  }

  holdingAt(row: number): Holding {
    return {
      account: this.accountAt(row),
      side: this.#flag(row, YES) ? 'yes' : 'no',
      price: ticks(this.#double(row, PRICE)),
      quantity: lots(this.#double(row, QUANTITY)),
      filled: NO_LOTS,
      covered: lots(this.#double(row, COVERED)),
      feeMaker: this.#double(row, FEE_MAKER),
      feeCredit: 0,
    }
  }

  /** Makes the record of an order. */
  record(row: number, market: MarketCode, userId: string): OrderRecord {
    const createdAt = this.#double(row, CREATED_AT) as TimeMs
    return {
      market,
      number: this.numberAt(row),
      suffix: this.#suffix(row),
      account: this.accountAt(row),
      userId,
      side: this.#flag(row, YES) ? 'yes' : 'no',
      outcome: this.#flag(row, OUTCOME_YES) ? 'yes' : 'no',
      orderType: 'LO',
      selfTrade: SELF_TRADES[(this.#flags(row) >> SELF_TRADE_BITS) & 3] ?? 'off',
      timeInForce: 'GTC',
      postOnly: this.#flag(row, POST_ONLY),
      reduceOnly: this.#flag(row, REDUCE_ONLY),
      key: this.#key(row),
      quoteSet: undefined,
      price: ticks(this.#double(row, PRICE)),
      quantity: lots(this.#double(row, QUANTITY)),
      asked: undefined,
      expiresAt: undefined,
      createdAt,
      arrival: 0,
      updatedAt: createdAt,
      state: 'resting',
      reason: undefined,
      covered: lots(this.#double(row, COVERED)),
      filled: NO_LOTS,
      filledValue: NOTHING,
      feeTaker: this.#double(row, FEE_TAKER),
      feeMaker: this.#double(row, FEE_MAKER),
      feePaid: NOTHING,
      feeCredit: 0,
    }
  }

  /** Returns whether price and quantity are as `openOrderFault` demands; the rest is, of a plain order. */
  #isSound(row: number, { payout, tickSize }: Pick<MarketTerms, 'payout' | 'tickSize'>): boolean {
    const price = this.#double(row, PRICE)
    const [quantity, covered] = [this.#double(row, QUANTITY), this.#double(row, COVERED)]
    const isPriced = price > 0 && price < payout && price % tickSize === 0
    return isPriced && quantity > 0 && covered >= 0 && covered <= quantity
  }

  #flags(row: number): number {
    return this.#ints[row * INTS + FLAGS] as number
  }

  #flag(row: number, flag: number): boolean {
    return (this.#flags(row) & flag) > 0
  }

  #double(row: number, place: number): number {
    return this.#doubles[row * DOUBLES + place] as number
  }

  #suffix(row: number): string {
    const begin = row === 0 ? 0 : this.#ints[(row - 1) * INTS + KEY_END]
    return this.#texts.toString('utf8', begin, this.#ints[row * INTS + SUFFIX_END])
  }

  #key(row: number): string | undefined {
    if (!this.#flag(row, HAS_KEY)) return undefined
    const at = row * INTS
    return this.#texts.toString('utf8', this.#ints[at + SUFFIX_END], this.#ints[at + KEY_END])
  }

  #keepTexts(bytes: Uint8Array, end: number): void {
    if (end > this.#texts.length) {
      const texts = Buffer.alloc(Math.max(2 * this.#texts.length, end))
      texts.set(this.#texts)
      this.#texts = texts
    }
    this.#texts.set(bytes, this.#textsLength)
  }

  #grow(): void {
    const rows = Math.max(ROWS_FIRST, 2 * this.#length)
    const [ints, doubles] = [this.#ints, this.#doubles]
    this.#ints = new Int32Array(rows * INTS)
    this.#ints.set(ints)
    this.#doubles = new Float64Array(rows * DOUBLES)
    this.#doubles.set(doubles)
  }
}

/** Returns whether these bytes are 1 to 32 letters and digits. */
function isSuffix(bytes: Uint8Array, from: number, to: number): boolean {
  if (to <= from || to > from + SUFFIX_MAX) return false
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number
    const letter = byte | 0x20
    if (!(byte >= 0x30 && byte <= 0x39) && !(letter >= 0x61 && letter <= 0x7a)) return false
  }
  return true
}
