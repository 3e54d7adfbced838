import type { ReplaceOrder, RequoteHouse } from '../../core/command.js'
import type { EngineEvent, Fill, Settlement } from '../../core/engine-event.js'
import type { MarketListing, MarketTerms } from '../../core/market.js'
import type { EditOutcome } from '../../core/market-edit.js'
import { editedListing } from '../../core/market-edit.js'
import { oppositeSide } from '../../core/order.js'
import { PriceQueues } from './price-queues.js'
import type { ShadowHouse } from './shadow-house.js'
import { ShadowFees } from './shadow-fees.js'
import type { ShadowOrder } from './shadow-order.js'
import { waits } from './shadow-order.js'

/** One user's holdings in the market, and their expected values by the fills alone. */
export interface ShadowPosition {
  yes: number
  no: number
  yesLocked: number
  noLocked: number
  paid: number
  /** YES less NO, and Σ ± price × quantity, by the fills. */
  net: number
  flow: number
  /** The fees of the fills. */
  fees: number
}

type Told<Type extends EngineEvent['type']> = Extract<EngineEvent, { readonly type: Type }>

/**
 * One market as its commands and messages describe it, kept apart from the engine: the resting orders, in
 * their order. Every fill is checked against it (invariants, I5 to I8).
 */
export class ShadowMarket {
  terms: MarketTerms
  listing: MarketListing
  /** Orders that are not final. */
  readonly orders = new Map<number, ShadowOrder>()
  /** Orders that replace others, by number, until their results arrive. */
  readonly replacing = new Map<number, ReplaceOrder>()
  readonly positions = new Map<number, ShadowPosition>()
  /** The house quotes that the market has had, by account. */
  readonly houses = new Map<number, ShadowHouse>()
  /** The last requote of the batch. */
  requote: RequoteHouse | undefined
  readonly fees: ShadowFees
  readonly #queues = { yes: new PriceQueues<ShadowOrder>('yes'), no: new PriceQueues<ShadowOrder>('no') }
  readonly #fault: (say: () => string) => void
  #seq = 0
  #trades = 0
  /** The order that was just replaced, and its remaining quantity. */
  #replaced: { readonly order: number; readonly remaining: number } | undefined

  constructor(terms: MarketTerms, listing: MarketListing, fault: (say: () => string) => void) {
    this.terms = terms
    this.listing = listing
    this.fees = new ShadowFees(terms.payout)
    this.#fault = say => fault(() => `market ${terms.code}: ${say()}`)
  }

  /** The number of the last trade. */
  get trades(): number {
    return this.#trades
  }

  position(account: number): ShadowPosition {
    let position = this.positions.get(account)
    if (position === undefined) {
      position = { yes: 0, no: 0, yesLocked: 0, noLocked: 0, paid: 0, net: 0, flow: 0, fees: 0 }
      this.positions.set(account, position)
    }
    return position
  }

  /** Applies an edit, and reports limits that cross; a refused edit changes nothing. */
  edit({ id, terms, listing, refusal }: EditOutcome): void {
    if (refusal !== undefined) return
    this.terms = { ...this.terms, ...terms }
    this.listing = editedListing(this.listing, listing)
    const { startAt, endAt, minBet, maxBet } = this.terms
    if (endAt <= startAt || maxBet < minBet) this.#fault(() => `edit ${id} leaves limits that cross`)
  }

  /**
   * Settles a position, and returns where it differs from the contracts and stakes counted from the fills
   * alone.
   */
  settle({ account, outcome, yes, no, paid, payment }: Settlement): string[] {
    const faults: string[] = []
    const { payout, pool } = this.terms
    const position = this.position(account)
    if (yes - no !== position.net)
      faults.push(`${yes} YES and ${no} NO, by the fills ${position.net} more YES`)
    const putIn = pool === undefined ? position.flow + position.fees + payout * no : 0
    if (paid !== putIn) faults.push(`${paid} put in, not what the fills cost`)
    if (outcome !== 'void' && payment !== payout * (outcome === 'yes' ? yes : no)) {
      faults.push(`${payment} for ${yes} YES and ${no} NO`)
    }
    if (outcome === 'void' && !(paid > 0 ? payment === paid : paid <= payment && payment <= 0)) {
      faults.push(`${payment} for ${paid} put in`)
    }
    position.net = 0
    position.flow += payout * no - payment
    // A void unwinds what was paid to the pool: that of a group is unwound with the group.
    if (outcome === 'void' && pool === undefined) Object.assign(position, { flow: 0, fees: 0 })
    return faults
  }

  take(event: EngineEvent, at: number): void {
    this.#seq++
    if (event.seq !== this.#seq) this.#fault(() => `message ${event.seq} follows ${this.#seq - 1}`)
    this.#seq = event.seq
    this.#checkReplaced(event)
    if (event.type === 'order_placed') this.#takePlaced(event, at)
    else if (event.type === 'order_cancelled') this.#takeCancelled(event)
    else if (event.type === 'order_rejected') this.#takeRejected(event.order)
  }

  /**
   * Checks a replacement: both orders change or neither, and only if the old one was as its client knew it.
   */
  #checkReplaced(event: EngineEvent): void {
    const replaced = this.#replaced
    // The new order may have met others of its owner, which left before it was reported.
    if (event.type === 'order_cancelled' && event.reason === 'self_trade') return
    this.#replaced = undefined
    if (event.type === 'order_cancelled' && event.reason === 'order_replaced') this.#replaced = event
    const isAnswer = event.type === 'order_placed' || event.type === 'order_rejected'
    const command = isAnswer ? this.replacing.get(event.order) : undefined
    if (command !== undefined) this.replacing.delete(command.order.number)
    const wanted = event.type === 'order_placed' ? command : undefined
    if (replaced?.order === wanted?.number && replaced?.remaining === wanted?.remaining) return
    const text = (old: number | undefined, left: number | undefined) =>
      old === undefined ? 'none' : `order ${old} with ${left} left`
    const [gone, old] = [text(replaced?.order, replaced?.remaining), text(wanted?.number, wanted?.remaining)]
    this.#fault(() => `message ${event.seq}: ${gone} is replaced, instead of ${old}`)
  }

  /** Checks I5 at the end of a batch: no two resting orders cross. */
  checkBook(): void {
    const { yes, no } = this.#queues
    if (yes.best === undefined || no.best === undefined || yes.best < no.best) return
    this.#fault(() => `the book is crossed: bid ${yes.best}, ask ${no.best}`)
  }

  #takePlaced({ order: number, executed, fills }: Told<'order_placed'>, at: number): void {
    const taker = this.#find(number)
    if (taker === undefined) return
    const house = this.houses.get(taker.account)
    if (house?.mayRest(taker, this.positions.get(taker.account)?.net ?? 0) === false) {
      this.#fault(() => `order ${number} of the house is beyond its table`)
    }
    let filled = 0
    for (const fill of fills) {
      this.#takeFill(taker, fill, at)
      filled += fill.quantity
    }
    taker.remaining -= filled
    if (filled !== executed) this.#fault(() => `order ${number} executed ${executed}, its fills ${filled}`)
    if (taker.remaining < 0) this.#fault(() => `order ${number} is filled beyond its quantity`)
    if (taker.postOnly && filled > 0) this.#fault(() => `order ${number} takes, and must not`)
    if (taker.timeInForce === 'FOK' && filled > 0 && taker.remaining > 0) {
      this.#fault(() => `order ${number} is filled in part, and must be filled whole`)
    }
    if (waits(taker) && taker.remaining > 0) this.#queues[taker.side].add(taker)
  }

  #takeFill(taker: ShadowOrder, fill: Fill, at: number): void {
    const { trade, price, quantity } = fill
    const say = (what: string) => this.#fault(() => `trade ${trade}: ${what}`)
    this.#trades++
    if (trade !== this.#trades) say(`it follows trade ${this.#trades - 1}`)
    this.#trades = trade
    const maker = this.orders.get(fill.maker)
    if (maker === undefined || !maker.isResting) {
      say(`order ${fill.maker} does not rest`)
      return
    }

    const queue = this.#queues[maker.side]
    if (maker.side !== oppositeSide(taker.side)) say('both orders are of one side')
    if (maker.account !== fill.makerOwner) say(`order ${fill.maker} is not of account ${fill.makerOwner}`)
    if (maker.account === taker.account && taker.selfTrade !== 'off') say('a user trades with themself')
    if (price !== maker.price) say(`at ${price}, the maker's price is ${maker.price}`)
    if (isWorse(price, taker)) say(`at ${price}, beyond the taker's limit of ${taker.price}`)
    if (queue.best !== maker.price) say(`at ${maker.price}, the best price is ${queue.best}`)
    const oldest = queue.oldestAt(maker.price)
    if (oldest !== maker) say(`order ${maker.number} fills before order ${oldest?.number}`)
    if (!(quantity > 0 && quantity <= maker.remaining)) say(`${quantity} of ${maker.remaining} are filled`)

    maker.remaining -= quantity
    if (maker.remaining <= 0) queue.remove(maker)
    this.#countLeg(taker.account, taker.side, price, quantity)
    this.#countLeg(maker.account, maker.side, price, quantity)
    this.position(taker.account).fees += this.fees.take(taker, taker.feeTaker, price, quantity, at)
    this.position(maker.account).fees += this.fees.take(maker, maker.feeMaker, price, quantity, at)
  }

  /**
   * Counts a lot: whether it bought YES or sold NO, it changes YES − NO by one; the other side does the
   * opposite.
   */
  #countLeg(account: number, side: 'yes' | 'no', price: number, quantity: number): void {
    const position = this.position(account)
    const lots = side === 'yes' ? quantity : -quantity
    position.net += lots
    position.flow += lots * price
  }

  #takeCancelled({ order: number, remaining }: Told<'order_cancelled'>): void {
    const order = this.#find(number)
    if (order === undefined) return
    if (remaining !== order.remaining) {
      this.#fault(() => `order ${number} is cancelled with ${remaining} left, it has ${order.remaining}`)
    }
    order.cancelled = order.remaining
    order.remaining = 0
    this.#queues[order.side].remove(order)
  }

  #takeRejected(number: number): void {
    const order = this.#find(number)
    if (order === undefined) return
    order.cancelled = order.remaining
    order.remaining = 0
  }

  #find(number: number): ShadowOrder | undefined {
    const order = this.orders.get(number)
    if (order === undefined) this.#fault(() => `order ${number} is reported, but is not open`)
    return order
  }
}

function isWorse(price: number, taker: ShadowOrder): boolean {
  if (!taker.isLimit) return false
  return taker.side === 'yes' ? price > taker.price : price < taker.price
}
