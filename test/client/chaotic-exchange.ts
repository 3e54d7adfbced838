import type { Dice } from '../fixtures/dice.js'
import type { Reply, Sent } from '../fixtures/server/client-world.js'
import { ClientWorld, type FakeSocket, ok, refusal } from '../fixtures/server/client-world.js'
import type { ChannelData } from '../fixtures/sockets/ws-local-book.js'
import { LocalBook } from '../fixtures/sockets/ws-local-book.js'

export const CODE = '1000001'
export const USER = 'asha'
/** Short, so that missed messages have often left the ring. */
const RING_LENGTH = 6
const PRICES = 5

/** Faults, in percent of the messages sent. */
export interface Faults {
  readonly lost: number
  readonly twice: number
  readonly late: number
  readonly cut: number
  /** Faults, in percent of the requests. */
  readonly unanswered: number
}

interface UserMessage {
  readonly type: string
  readonly user_seq: number
  readonly [field: string]: unknown
}

/**
 * An exchange with one event and one user, written for tests and independent of the real one. It keeps
 * to the protocol over an unreliable network: messages are lost, repeated and late, and connections
 * break.
 */
export class ChaoticExchange {
  readonly world = new ClientWorld()
  readonly book = new LocalBook()
  readonly trades: string[] = []
  readonly userMessages: UserMessage[] = []
  readonly orders = new Map<string, Record<string, unknown>>()
  balance = 1000
  faults: Faults = { lost: 0, twice: 0, late: 0, cut: 0, unanswered: 0 }
  cuts = 0
  readonly #dice: Dice
  readonly #ring: ChannelData[] = []
  readonly #readers = new Map<FakeSocket, Set<string>>()
  #late: (() => void)[] = []
  #orderCount = 0
  #lastPrice: number | null = null

  constructor(dice: Dice) {
    this.#dice = dice
    this.book.take({ type: 'snapshot', seq: 0, ts: 0, status: 'open', bids: [], asks: [] })
    this.world.reply = ({ path }) => this.#answer(path)
    this.world.onSocket = socket => {
      socket.onSent = message => this.#hear(socket, message)
      void Promise.resolve().then(() => this.#open(socket))
    }
  }

  /** Returns the state that the client must end with. */
  get view() {
    const { seq, status } = this.book
    const { bids, asks } = this.book.levels()
    return { event_id: CODE, seq, status, bids, asks, last_price: this.#lastPrice }
  }

  /** Returns the open orders, newest first. */
  get openOrders() {
    return [...this.orders.values()].filter(({ state }) => state === 'resting').reverse()
  }

  /** Changes the event and the user at random. */
  step(): void {
    const dice = this.#dice
    if (dice.percent(40)) this.#trade()
    if (dice.percent(20)) this.#publish({ type: 'ORDER_PLACED', payload: {} })
    if (dice.percent(60)) this.#change()
    if (dice.percent(30)) this.#place()
    else if (this.openOrders.length > 0 && dice.percent(50)) this.#end()
    // Some later messages overtake a late one.
    if (dice.percent(50)) for (const deliver of this.#late.splice(0)) deliver()
  }

  /** Sends the heartbeat of a healthy server, every 20 seconds. */
  beat(): void {
    for (const [socket, topics] of this.#readers) {
      const seq = topics.has(CODE) ? { [CODE]: this.book.seq } : {}
      const user_seq = topics.has(USER) ? { [USER]: this.userMessages.length } : {}
      this.#send(socket, { event: 'heartbeat', data: { ts: 0, seq, user_seq } })
    }
  }

  #open(socket: FakeSocket): void {
    if (socket.isEnded) return
    // Some connections are refused, and some never open.
    if (this.#dice.percent(this.faults.cut)) socket.end()
    else if (!this.#dice.percent(this.faults.lost)) {
      this.#readers.set(socket, new Set())
      socket.open()
    }
  }

  #trade(): void {
    const number = this.trades.length + 1
    const price = this.#dice.between(1, PRICES)
    const tradeId = `${CODE}-${number}`
    this.trades.push(tradeId)
    this.#lastPrice = price
    this.#publish({ type: 'trade', trades: [{ tradeId, price, qty: 1, taker_side: 'yes', ts: number }] })
    if (this.#dice.percent(50)) this.#tellUser('fill', { fill: { tradeId, event_id: CODE, price, qty: 1 } })
  }

  #change(): void {
    const level = (low: number) => [[low + this.#dice.between(1, PRICES), this.#dice.between(0, 9)]] as const
    this.#publish({ type: 'delta', bids: level(0), asks: level(PRICES) })
  }

  #place(): void {
    const id = `${CODE}-${++this.#orderCount}-x`
    const createdAt = new Date(this.#orderCount).toISOString()
    this.#tellOrder({ id, event_id: CODE, createdAt, state: 'resting', remaining_quantity: 5 })
  }

  #end(): void {
    const orders = this.openOrders as [Record<string, unknown>, ...Record<string, unknown>[]]
    const order = this.#dice.oneOf(orders)
    this.#tellOrder({ ...order, state: this.#dice.oneOf(['filled', 'cancelled']) })
  }

  #tellOrder(order: Record<string, unknown>): void {
    this.orders.set(String(order.id), order)
    this.#tellUser('order', { order })
    this.balance += this.#dice.between(-5, 5)
    this.#tellUser('balance', { balance: this.#balanceView })
  }

  get #balanceView() {
    return { cash: this.balance, held: 0, available: this.balance }
  }

  #publish(message: Record<string, unknown> & { readonly type: string }): void {
    const prev_seq = this.book.seq ?? 0
    const data = { ts: 0, ...message, seq: prev_seq + 1, prev_seq } as ChannelData
    this.book.take(data)
    this.#ring.push(data)
    this.#broadcast(CODE, { event: `event_orderbook_${CODE}`, data })
  }

  #tellUser(type: string, what: Record<string, unknown>): void {
    const data = { type, user_seq: this.userMessages.length + 1, ts: 0, ...what }
    this.userMessages.push(data)
    this.#broadcast(USER, { event: `user_${USER}`, data })
  }

  #broadcast(topic: string, message: unknown): void {
    for (const [socket, topics] of this.#readers) if (topics.has(topic)) this.#send(socket, message)
  }

  #hear(socket: FakeSocket, { event = '', data = '', from_seq, id }: Sent): void {
    const topics = this.#readers.get(socket)
    if (topics === undefined) throw new Error('the client writes before the connection is open')
    if (event.startsWith('unsubscribe')) {
      topics.delete(data)
      return
    }
    topics.add(data)
    this.#send(socket, { event: 'subscribed', data, id })
    const messages = data === CODE ? this.#bookSince(from_seq) : this.#userSince(from_seq)
    for (const message of messages) this.#send(socket, message)
  }

  #bookSince(fromSeq: number | undefined) {
    const head = this.book.seq ?? 0
    const event = `event_orderbook_${CODE}`
    const isKnown = fromSeq !== undefined && fromSeq <= head && fromSeq >= head - RING_LENGTH
    if (!isKnown) return [{ event, data: { type: 'snapshot', ts: 0, ...this.view } }]
    return this.#ring.slice(fromSeq).map(data => ({ event, data }))
  }

  #userSince(fromSeq: number | undefined) {
    const event = `user_${USER}`
    if (fromSeq !== undefined) return this.userMessages.slice(fromSeq).map(data => ({ event, data }))
    const orders = this.openOrders
    // A snapshot has room for three orders, so the client has to request the rest.
    const data = {
      type: 'snapshot',
      user_seq: this.userMessages.length,
      ts: 0,
      balance: this.#balanceView,
      positions: [],
      orders: orders.slice(0, 3),
      more_positions: false,
      more_orders: orders.length > 3,
    }
    return [{ event, data }]
  }

  #send(socket: FakeSocket, message: unknown): void {
    const dice = this.#dice
    const { lost, twice, late, cut } = this.faults
    const deliver = () => {
      if (this.#readers.has(socket)) socket.say(message)
    }
    if (dice.percent(cut)) {
      this.cuts++
      this.#readers.delete(socket)
      socket.end()
    } else if (dice.percent(late)) this.#late.push(deliver)
    else if (!dice.percent(lost)) deliver()
    if (dice.percent(twice)) deliver()
  }

  #answer(path: string): Reply {
    if (this.#dice.percent(this.faults.unanswered)) return this.#dice.oneOf([refusal(503), new Error('cut')])
    const query = new URLSearchParams(path.split('?')[1])
    const limit = Number(query.get('limit'))
    if (path.startsWith(`/events/${CODE}/trades`)) {
      const before = Number(query.get('cursor')?.split('-')[1] ?? this.trades.length + 1)
      // Pages are shorter than requested: no client may rely on their length.
      const page = this.trades
        .slice(0, before - 1)
        .reverse()
        .slice(0, Math.min(limit, 3))
      const trades = page.map(tradeId => ({ tradeId, event_id: CODE, price: 1, qty: 1 }))
      const isEnd = page.length === 0 || page.at(-1) === `${CODE}-1`
      return ok({ trades, next_cursor: isEnd ? null : page.at(-1) })
    }
    if (path.startsWith('/order?')) {
      const orders = this.openOrders.filter(({ state }) => state === query.get('state'))
      return ok({ orders, next_cursor: null })
    }
    if (path.startsWith(`/portfolio/${USER}/balance`)) return ok({ user_seq: this.userMessages.length })
    return refusal(404)
  }
}
