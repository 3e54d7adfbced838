import { isOpen } from '../../../src/core/order.js'
import type { OrderRecord } from '../../../src/core/order-record.js'
import type { OrderRequest } from '../../../src/core/order-request.js'
import { LOTS_PER_CONTRACT, TICKS_PER_RUPEE } from '../../../src/core/units.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import type { Amendment } from '../../../src/exchange/orders/order-amendments.js'
import type { Dice } from '../../fixtures/dice.js'
import type { BatchRequest } from '../judges/batch-judge.js'
import type { NamedRequest } from '../judges/key-judge.js'
import type { Clients } from '../world/clients.js'
import type { World } from '../world/world.js'
import { START } from '../world/world.js'
import { randomOrder } from './random-order.js'

const RECENT_ORDERS = 30
const RECENT_NAMES = 6
const SHORT_QUEUE = 12
/** Percentage of orders by users who have never sent a request. */
const NEW_USERS_PERCENT = 5

/** Runs client actions on orders: place, with or without a key, read, amend and cancel. */
export class OrderActions {
  readonly #world: World
  readonly #clients: Clients
  readonly #dice: Dice
  readonly #users: readonly [string, ...string[]]
  readonly #chooseMarket: () => DeskMarket | undefined
  #names = 0
  #strangers = 0

  constructor(
    world: World,
    clients: Clients,
    users: readonly [string, ...string[]],
    chooseMarket: () => DeskMarket | undefined,
  ) {
    this.#world = world
    this.#clients = clients
    this.#dice = world.dice
    this.#users = users
    this.#chooseMarket = chooseMarket
  }

  place(users = this.#users): void {
    const order = this.#randomOrder(users)
    if (order !== undefined) this.#send(order)
  }

  /** Sends several at once: they share a batch or wait for the next; sometimes fills a short queue. */
  burst(): void {
    const { queueLengthMax } = this.#world
    const most = queueLengthMax <= SHORT_QUEUE ? queueLengthMax + 8 : 8
    for (let left = this.#dice.between(2, most); left > 0; left--) {
      if (this.#dice.percent(60)) this.place()
      else if (this.#dice.percent(30)) this.placeNamed()
      else if (this.#dice.percent(40)) this.amend()
      else if (this.#dice.percent(90)) this.cancel()
      else this.cancelAll()
    }
  }

  /** Places an order under a new key; sometimes twice at once, or with a different order under that key. */
  placeNamed(): void {
    const order = this.#randomOrder()
    if (order === undefined) return
    this.#names++
    const named = nameOrder(order, `key ${this.#names}`)
    this.#send(named)
    if (!this.#dice.percent(35)) return
    this.#world.branches.count('two of one key at once')
    this.#send(this.#dice.percent(50) ? named : this.#changed(named))
  }

  /** Repeats a key, with the same order or another. */
  placeAgain(): void {
    const [first, ...others] = this.#clients.keys.firstRequests.slice(-RECENT_NAMES)
    if (first === undefined) return
    const request = this.#dice.oneOf([first, ...others])
    this.#send(this.#dice.percent(70) ? request : this.#changed(request))
  }

  /** Repeats the requests that a crash left without an answer. */
  sendAgain(): void {
    for (const request of this.#clients.keys.unanswered()) this.#send(request)
    for (const batch of this.#clients.batches.unanswered()) this.#sendBatch(batch)
  }

  /** Sends orders together under a name; sometimes twice at once, or two batches with the same name. */
  placeBatch(): void {
    const orders = Array.from({ length: this.#dice.between(1, 5) }, () => this.#randomOrder() ?? [])
    this.#names++
    const batch = this.#nameBatch(orders.flat(), `batch ${this.#names}`)
    this.#sendBatch(batch)
    if (!this.#dice.percent(35)) return
    this.#world.branches.count('two of one batch name at once')
    this.#sendBatch(this.#dice.percent(50) ? batch : this.#changedBatch(batch))
  }

  /** Sends a batch name a second time, with the same orders or others. */
  placeBatchAgain(): void {
    const [first, ...others] = this.#clients.batches.firstRequests.slice(-RECENT_NAMES)
    if (first === undefined) return
    const batch = this.#dice.oneOf([first, ...others])
    this.#sendBatch(this.#dice.percent(70) ? batch : this.#changedBatch(batch))
  }

  cancel(): void {
    const id = this.#someOrder()
    if (id === undefined) return
    const wrong = this.#dice.percent(5) ? `${id}x` : id
    this.#world.note(`cancel ${wrong}`)
    this.#clients.cancel(wrong)
  }

  cancelAll(): void {
    const userId = this.#dice.oneOf(this.#users)
    const market = this.#dice.percent(50) ? this.#chooseMarket()?.terms.code : undefined
    this.#world.note(`cancel all of ${userId} in ${market ?? 'all markets'}`)
    this.#clients.cancelAll(userId, market)
  }

  /** Replaces a set of quotes: with the same ones again, with others of other sizes, or with none. */
  replaceQuotes(): void {
    const market = this.#chooseMarket()
    if (market === undefined) return
    const dice = this.#dice
    const { code } = market.terms
    const [userId, set] = [dice.oneOf(this.#users), dice.oneOf(['near', 'far'])]
    const quote = () => {
      const order = randomOrder(dice, market, [userId], this.#world.now)
      const { side, outcome, yesPrice, askedPrice, quantity } = order
      const fixed = { market: code, userId, orderType: 'LO', selfTrade: 'taker', postOnly: true } as const
      return { ...fixed, quoteSet: set, side, outcome, yesPrice, askedPrice, quantity }
    }
    const count = dice.percent(15) ? 0 : dice.between(1, 5)
    const request = { market: code, userId, set, quotes: Array.from({ length: count }, quote) }
    const words = request.quotes.map(({ side, quantity, yesPrice }) => `${side} ${quantity} @ ${yesPrice}`)
    this.#world.note(`quotes of ${userId} in ${code}, ${set}: ${words.join(', ')}`)
    this.#clients.replaceQuotes(request)
    if (!dice.percent(40)) return
    const again = request.quotes.map(each => ({
      ...each,
      quantity: each.quantity * dice.oneOf([1, 1, 0.5, 2]),
    }))
    this.#clients.replaceQuotes({ ...request, quotes: again })
  }

  setTimer(): void {
    const userId = this.#dice.oneOf(this.#users)
    const timeoutMs = this.#dice.oneOf([0, 5, 5, 30, 60, 300]) * 1000
    const code = this.#chooseMarket()?.terms.code
    const markets = code === undefined || this.#dice.percent(60) ? undefined : [code]
    this.#world.note(`timer of ${userId}: ${timeoutMs} ms, ${markets ?? 'all markets'}`)
    this.#clients.setTimer(userId, timeoutMs, markets)
  }

  find(): void {
    const id = this.#someOrder()
    if (id !== undefined) this.#clients.find(id)
  }

  list(): void {
    const userId = this.#dice.oneOf(this.#users)
    if (this.#dice.percent(50)) this.#clients.listings.orders(userId)
    else this.#clients.listings.statement(userId)
  }

  /** Amends quantity or price; sometimes sends two amendments at once, equal or different. */
  amend(): void {
    const { branches } = this.#world
    const id = this.#openOrder()
    const order = id === undefined ? undefined : this.#clients.orders.last(id)
    if (id === undefined || order === undefined) return
    const amendment = this.#amendmentOf(order)
    this.amendTo(this.#dice.percent(3) ? `${id}x` : id, amendment)
    if (!this.#dice.percent(25)) return
    const isSame = this.#dice.percent(40)
    branches.count(isSame ? 'one amendment twice at once' : 'two amendments at once')
    this.amendTo(id, isSame ? amendment : this.#amendmentOf(order))
  }

  amendTo(id: string, amendment: Amendment): void {
    const { price, quantity } = amendment
    const text = `${quantity ?? 'as many'} @ ${price ?? 'its price'}`
    this.#world.note(`amend ${id} to ${text}`)
    this.#clients.amend(id, amendment)
  }

  #amendmentOf(order: OrderRecord): Amendment {
    const dice = this.#dice
    const whole = order.quantity / LOTS_PER_CONTRACT
    const less = dice.between(1, Math.max(1, Math.min(order.quantity, 1e6))) / LOTS_PER_CONTRACT
    const quantity = dice.oneOf([less, less, less, whole, whole + 1, whole * 2, less + 0.001])
    const step = dice.oneOf([-20, -10, 10, 20, 200, 1])
    const payout = this.#world.exchange.market(order.market)?.terms.payout ?? 0
    const asked = order.outcome === 'yes' ? order.price : payout - order.price
    const price = { price: (asked + step) / TICKS_PER_RUPEE }
    return dice.oneOf([{ quantity }, { quantity }, { quantity }, price, { ...price, quantity }])
  }

  #changed(request: NamedRequest): NamedRequest {
    const other = this.#dice.oneOf([
      { ...request, quantity: request.quantity + 1 },
      { ...request, side: request.side === 'yes' ? 'no' : 'yes' },
      { ...request, userId: this.#dice.oneOf(this.#users) },
    ] as const)
    return nameOrder(other, request.key.name)
  }

  #nameBatch(orders: readonly OrderRequest[], name: string): BatchRequest {
    return { key: { name, fingerprint: JSON.stringify(orders) }, orders }
  }

  #changedBatch({ key, orders }: BatchRequest): BatchRequest {
    const other = this.#randomOrder()
    return this.#nameBatch(other === undefined ? orders.slice(1) : [...orders.slice(1), other], key.name)
  }

  #sendBatch(batch: BatchRequest): void {
    if (batch.orders.length === 0) return
    this.#world.note(`place ${batch.key.name}: ${batch.key.fingerprint}`)
    this.#clients.placeBatch({ ...batch })
  }

  #randomOrder(users = this.#users): OrderRequest | undefined {
    const market = this.#chooseMarket()
    if (market === undefined) return undefined
    const order = randomOrder(this.#dice, market, users, this.#world.now)
    if (!this.#dice.percent(NEW_USERS_PERCENT)) return order
    this.#strangers++
    return { ...order, userId: `new${this.#strangers}` }
  }

  #send(order: OrderRequest): void {
    const { userId, side, quantity, yesPrice, orderType, selfTrade, expiresAt, validUntil, key } = order
    const dates = [expiresAt, validUntil].map(date => (date === undefined ? '-' : date - START))
    const options = [order.timeInForce, order.postOnly && 'rests', order.reduceOnly && 'sells', ...dates]
    const words = [...options, key && `as ${key.name}`].filter(word => word !== undefined).join(' ')
    const text = `${userId} ${side} ${quantity} @ ${yesPrice} ${orderType} self ${selfTrade} ${words}`
    this.#world.note(`place ${order.market} ${text}`)
    this.#clients.place({ ...order })
  }

  #someOrder(): string | undefined {
    const { ids } = this.#clients.orders
    const isRecent = this.#dice.percent(85)
    return this.#oneOf(isRecent ? ids.slice(-RECENT_ORDERS) : ids)
  }

  /** Chooses an order, mostly one that was open in its last answer. */
  #openOrder(): string | undefined {
    const { orders } = this.#clients
    const open = orders.ids.filter(id => isOpen(orders.last(id)?.state ?? 'filled')).slice(-RECENT_ORDERS)
    return this.#dice.percent(90) && open.length > 0 ? this.#oneOf(open) : this.#someOrder()
  }

  #oneOf([first, ...others]: readonly string[]): string | undefined {
    return first === undefined ? undefined : this.#dice.oneOf([first, ...others])
  }
}

/** Gives an order a key; the fingerprint leaves out the user, who is part of the key's name. */
function nameOrder(order: OrderRequest, name: string): NamedRequest {
  const { key: _, userId: __, ...words } = order
  return { ...order, key: { name, fingerprint: JSON.stringify(words) } }
}
