import { assert } from '../../../src/core/assert.js'
import type { Outcome } from '../../../src/core/market.js'
import type { MarketEdit } from '../../../src/core/market-edit.js'
import { isOpen } from '../../../src/core/order.js'
import type { OrderRecord } from '../../../src/core/order-record.js'
import { orderId } from '../../../src/core/order-record.js'
import type { OrderRequest } from '../../../src/core/order-request.js'
import type { TransferRow } from '../../../src/core/records/statement-record.js'
import type { MarketCode, TimeMs } from '../../../src/core/units.js'
import { LOTS_PER_CONTRACT, TICKS_PER_RUPEE } from '../../../src/core/units.js'
import type { TransferRequest } from '../../../src/exchange/accounts/transfers.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import type { MarketRequest } from '../../../src/exchange/markets/market-entry.js'
import type { MarketMove } from '../../../src/exchange/markets/market-life.js'
import type { Amendment } from '../../../src/exchange/orders/order-amendments.js'
import type { QuotesRequest } from '../../../src/exchange/orders/order-quotes.js'
import { ActionJudge } from '../judges/action-judge.js'
import type { Arrival } from '../judges/arrival-judge.js'
import { ArrivalJudge } from '../judges/arrival-judge.js'
import type { BatchRequest } from '../judges/batch-judge.js'
import { BatchJudge } from '../judges/batch-judge.js'
import type { NamedRequest } from '../judges/key-judge.js'
import { KeyJudge } from '../judges/key-judge.js'
import { MarketJudge } from '../judges/market-judge.js'
import { OrderJudge } from '../judges/order-judge.js'
import { QuoteJudge } from '../judges/quote-judge.js'
import { TimerJudge } from '../judges/timer-judge.js'
import { TransferJudge } from '../judges/transfer-judge.js'
import { Crash } from './crash.js'
import { GroupClients } from './group-clients.js'
import { HouseClients } from './house-clients.js'
import { Listings } from './listings.js'
import { tick } from './machine.js'
import type { World } from './world.js'

/** Event-loop rounds in which answers decided before a crash may still arrive. */
const LAST_WORDS_TICKS = 1
const SILENCE_TICKS = 3

/**
 * All clients and the operator, outside the process: they send without waiting, and check every answer
 * against those before it, whenever it arrives and whatever has crashed since.
 */
export class Clients {
  readonly orders = new OrderJudge()
  readonly arrivals = new ArrivalJudge()
  readonly keys: KeyJudge
  readonly batches: BatchJudge
  readonly transfers: TransferJudge
  readonly markets: MarketJudge
  readonly actions: ActionJudge
  readonly groups: GroupClients
  readonly house: HouseClients
  readonly listings: Listings
  readonly timers: TimerJudge
  readonly quotes: QuoteJudge
  readonly users = new Set<string>()
  readonly #world: World
  #pending = 0
  #isSilent = false

  constructor(world: World) {
    this.#world = world
    this.keys = new KeyJudge(world.branches)
    this.batches = new BatchJudge(world.branches)
    this.transfers = new TransferJudge(world.branches)
    this.actions = new ActionJudge(world.branches)
    this.timers = new TimerJudge(world)
    this.quotes = new QuoteJudge(world)
    this.markets = new MarketJudge(world.branches)
    this.groups = new GroupClients(world, this, (answer, take) => this.#hear(answer, take))
    this.house = new HouseClients(world, this.actions, (answer, take) => this.#hear(answer, take))
    this.listings = new Listings(world, this, (answer, take) => this.#hear(answer, take))
    world.awaited = () => this.#pending
  }

  /** The number of awaited answers. */
  get pending(): number {
    return this.#pending
  }

  place(request: OrderRequest): void {
    const { exchange, branches } = this.#world
    this.users.add(request.userId)
    const named = isNamed(request) ? request : undefined
    if (named !== undefined) this.keys.asked(named)
    const name = named && JSON.stringify([request.userId, named.key.name])
    const arrival = this.arrivals.arrived({ ...request, name }, this.#world.epoch)
    const timers = this.timers.arrival(request.userId)
    const { directory } = exchange
    const isForgotten = directory.has(request.market) && directory.inMemory(request.market) === undefined
    branches.count('order for a forgotten event', isForgotten)
    this.#hear(exchange.placeOrder(request), order => {
      arrival.isRefused = typeof order === 'string'
      const told = named === undefined ? 'first' : this.keys.answered(named, order)
      if (order === 'key_used') return
      if (typeof order === 'string') {
        branches.count(order === 'queue_full' ? 'answer: busy' : 'answer: codes or accounts full')
        return
      }
      const { state } = order
      assert(state !== 'queued', 'an order is answered when it is decided')
      this.find(orderId(order))
      // If a crash swallowed the first answer, much may have happened to the order since.
      if (named === undefined) {
        assert(state !== 'expired', 'an order does not expire in the batch that brings it')
        branches.count(`answer: order ${state}`)
      }
      this.#brought(arrival, order, told === 'first')
      if (told === 'first' && named === undefined) this.timers.placed(order, timers)
      if (told === 'first') this.orders.placed(request, order)
      else if (told === 'again') this.orders.asAsked(request, order)
      this.orders.seen(order)
    })
  }

  placeBatch(request: BatchRequest): void {
    const { exchange, branches, epoch } = this.#world
    const { key, orders } = request
    // Behind another request of the same name it is not known when its orders arrive.
    const isBehind = this.batches.asked(request)
    const arrivals = orders.map((order, index) => {
      this.users.add(order.userId)
      const name = `${key.name}, ${index}`
      return isBehind ? undefined : this.arrivals.arrived({ ...order, name }, epoch)
    })
    const answer = exchange.batches.once(key, batch =>
      Promise.all(orders.map((order, index) => exchange.placeOrder({ ...order, batch: { batch, index } }))),
    )
    this.#hear(answer, results => {
      const isFirst = this.batches.answered(request, results)
      branches.count('answer: busy', results === 'queue_full')
      for (const [index, asked] of orders.entries()) {
        const order = typeof results === 'string' ? results : results[index]
        const arrival = arrivals[index]
        if (arrival !== undefined) arrival.isRefused = typeof order !== 'object'
        if (typeof order !== 'object') continue
        if (arrival !== undefined) this.#brought(arrival, order, isFirst.has(index))
        if (isFirst.has(index)) this.orders.placed(asked, order)
        else this.orders.asAsked(asked, order)
        this.orders.seen(order)
        this.find(orderId(order))
      }
    })
  }

  amend(id: string, amendment: Amendment): void {
    const { exchange, branches } = this.#world
    const before = this.orders.last(id)
    const total = amendment.quantity === undefined ? undefined : amendment.quantity * LOTS_PER_CONTRACT
    if (total !== undefined) this.orders.askedForLess(id, Math.round(total))
    const arrival = before && this.arrivals.arrived(before, this.#world.epoch)
    this.quotes.changing()
    if (before !== undefined) this.keys.amending(before)
    this.#hear(exchange.amendOrder(id, amendment), answer => {
      branches.count('answer: amendment of nothing', answer === undefined)
      assert(answer !== undefined || before === undefined, `an answered order is found: ${id}`)
      if (answer === undefined) return
      if (typeof answer === 'string') {
        branches.count('answer: busy')
        return
      }
      const order = 'endedBefore' in answer ? answer.endedBefore : answer
      if (orderId(order) !== id) {
        assert(before !== undefined && arrival !== undefined, 'only an order known to the client is amended')
        this.#brought(arrival, order, true)
        this.#replaced(before, order, amendment)
        return
      }
      const { state, quantity, filled } = order
      this.orders.seen(order)
      const wasOpen = before !== undefined && isOpen(before.state)
      branches.count('answer: amendment of what had ended', !wasOpen)
      const isUsedUp = wasOpen && state === 'cancelled' && total !== undefined && total <= filled
      branches.count('answer: amendment ends what was filled further', isUsedUp)
      if (!isOpen(state) || total === undefined) return
      assert(quantity <= Math.round(total), `an amended order is as small as was asked: ${id}`)
      branches.count('answer: smaller where it stands')
    })
  }

  replaceQuotes(request: QuotesRequest): void {
    const { exchange, branches } = this.#world
    this.users.add(request.userId)
    this.orders.askedToQuote(request)
    const asked = this.quotes.asked(request)
    this.#hear(exchange.quotes.replace(request), answer => {
      if (typeof answer === 'string') {
        branches.count(answer === 'queue_full' ? 'answer: busy' : 'answer: codes or accounts full')
        return
      }
      for (const [index, { result, order }] of answer.quotes.entries()) {
        const quote = request.quotes[index]
        assert(quote !== undefined, 'each quote has one result')
        if (result === 'placed') this.orders.placed(quote, order)
        else this.orders.seen(order)
        this.find(orderId(order))
      }
      this.quotes.answered(asked, answer)
    })
  }

  /** Checks a replacement: fills of the old order count, and no part of it still rests. */
  #replaced(before: OrderRecord, order: OrderRecord, { price, quantity }: Amendment): void {
    const { branches, exchange } = this.#world
    this.orders.replaced(before, order)
    branches.count('answer: amendment refused, the order stays', order.state === 'rejected')
    if (order.state === 'rejected') return
    branches.count('answer: an order in the stead of another')
    if (order.key !== undefined) this.#findNamed(order, order.key)
    const request = order.key === undefined ? undefined : this.keys.requestOf(order.userId, order.key)
    if (request !== undefined) this.place(request)
    const { payout } = exchange.market(order.market)?.terms ?? { payout: 0 }
    const asked = Math.round((price ?? 0) * TICKS_PER_RUPEE)
    const yes = order.outcome === 'yes' ? asked : payout - asked
    const expected = price === undefined ? before.price : yes
    assert(order.price === expected, 'a new order has the requested price')
    // The new order may become smaller while the old one is looked up.
    const placed = order.quantity
    this.#hear(exchange.findOrder(orderId(before)), old => {
      assert(typeof old === 'object', 'a replaced order is found')
      this.orders.seen(old)
      assert(old.reason === 'order_replaced', 'a replaced order has ended')
      const total = quantity === undefined ? old.quantity : Math.round(quantity * LOTS_PER_CONTRACT)
      assert(placed === total - old.filled, 'the new order has the unfilled part of the requested quantity')
    })
  }

  /** Cancels all orders; checks that those open at the request have ended by the answer. */
  cancelAll(userId: string, market: MarketCode | undefined): void {
    const { exchange, branches } = this.#world
    const open = this.orders.ids.filter(id => {
      const order = this.orders.last(id)
      const isMeant = order?.userId === userId && (market === undefined || order.market === market)
      return isMeant && isOpen(order.state)
    })
    const earlier = this.arrivals.of(userId, market, this.#world.epoch)
    this.#hear(exchange.cancelOrders(userId, market), cancelled => {
      if (typeof cancelled === 'string') {
        branches.count('answer: busy')
        return
      }
      const { ended, openCount } = cancelled
      branches.count('answer: all of a user cancelled', ended.length > 1 && openCount === 0)
      for (const order of ended) {
        assert(
          !isOpen(order.state) && order.userId === userId,
          'a cancelled order belongs to the user, and has ended',
        )
        if (this.orders.last(orderId(order)) !== undefined) this.orders.seen(order)
      }
      if (openCount > 0) return
      for (const arrival of earlier) {
        arrival.isCancelled = true
        if (arrival.order !== undefined) this.#hasEnded(arrival.order)
      }
      for (const id of open) {
        this.#hear(exchange.findOrder(id), order => {
          assert(typeof order === 'object' && !isOpen(order.state), `cancelling all ends each order: ${id}`)
          this.orders.seen(order)
        })
      }
    })
  }

  /** Records a placed order, which may have arrived before a cancel of all orders of its user. */
  #brought(arrival: Arrival, order: OrderRecord, isFirst: boolean): void {
    if (isFirst) this.arrivals.placed(arrival, order)
    arrival.order = order
    if (arrival.isCancelled) this.#hasEnded(order)
  }

  #hasEnded(order: OrderRecord): void {
    const id = orderId(order)
    this.#hear(this.#world.exchange.findOrder(id), found => {
      const hasEnded = typeof found === 'object' && !isOpen(found.state)
      assert(hasEnded, `cancelling all ends every earlier order: ${id}`)
    })
  }

  /** Checks that an order shown once can always be read again (invariants, I15). */
  find(id: string): void {
    this.#hear(this.#world.exchange.findOrder(id), order => {
      assert(typeof order !== 'string', 'a read under light load is not refused')
      assert(order !== undefined || this.orders.last(id) === undefined, `an answered order is found: ${id}`)
      if (order !== undefined) this.orders.seen(order)
    })
  }

  /** Sets a user's timer. */
  setTimer(userId: string, timeoutMs: number, markets: readonly MarketCode[] | undefined): void {
    this.users.add(userId)
    const timer = this.timers.asked(userId, markets)
    this.#hear(this.#world.exchange.timers.set({ userId, timeoutMs, markets }), answer => {
      this.#world.branches.count('answer: busy', answer === 'queue_full')
      if (typeof answer === 'object') this.timers.answered(timer, answer.endsAt)
    })
  }

  /** Checks that a replacement goes by the name of the order that it replaced. */
  #findNamed({ userId, number }: OrderRecord, name: string): void {
    this.#hear(this.#world.exchange.findOrderNamed(userId, name), order => {
      assert(typeof order === 'object', `a named order is found: ${name}`)
      assert(order.number >= number && order.key === name, `a name leads to the order in force: ${name}`)
      this.orders.seen(order)
    })
  }

  cancel(id: string): void {
    const { exchange, branches } = this.#world
    const before = this.orders.last(id)
    branches.count('answer: cancel of what had ended', before !== undefined && !isOpen(before.state))
    this.#hear(exchange.cancelOrder(id), order => {
      branches.count('answer: cancel of nothing', order === undefined)
      assert(order !== undefined || before === undefined, `an answered order is found: ${id}`)
      if (order === undefined) return
      if (typeof order === 'string') {
        branches.count('answer: busy')
        return
      }
      assert(!isOpen(order.state), 'a cancel is answered when the order has ended')
      this.orders.seen(order)
    })
  }

  transfer(request: TransferRequest): void {
    this.transfers.asked(request)
    const by = this.actions.sign(request.direction === 'deposit' ? 'deposit' : 'withdraw', request.txnId)
    this.#hear(this.#world.exchange.transfer({ ...request, by }), answer => {
      const isDone = typeof answer === 'object' && !('refusal' in answer)
      if (isDone) this.#assertMoved(request, answer)
      this.actions.answered(by, isDone ? 'done before' : 'refused')
      this.transfers.answered(request, answer)
    })
  }

  create(request: MarketRequest): void {
    const { slug } = request.listing
    const { branches } = this.#world
    const by = this.actions.sign('create', slug)
    this.#hear(this.#world.exchange.createMarket({ ...request, by }), answer => {
      this.actions.answered(by, typeof answer === 'object' ? 'done' : 'refused')
      if (answer === 'slug_used') branches.count('answer: slug_used')
      else if (typeof answer === 'object') this.markets.created(slug, answer)
      else branches.count('answer: busy', answer === 'queue_full')
    })
  }

  move(market: DeskMarket, move: MarketMove): void {
    const to = { halt: 'halted', resume: 'open', close: 'closed' }[move]
    const wasThere = market.pendingStatus === to
    // The clock may be about to do the same.
    const isDue = market.dueMove(this.#world.now as TimeMs) !== undefined
    const by = this.actions.sign(move, market.terms.code)
    const answer = this.#world.exchange.moveMarket(market, move, by)
    // While it waits for its turn, another request may do it first.
    const isDone = !wasThere && !isDue && market.pendingStatus === to
    this.#hear(answer, refusal => {
      const done = isDone ? 'done' : 'done before'
      this.actions.answered(by, refusal === undefined ? done : 'refused')
      this.markets.moved(market, move, wasThere, refusal)
    })
  }

  edit(market: DeskMarket, edit: MarketEdit): void {
    const { code } = market.terms
    this.markets.askedToEdit(market, edit)
    const by = this.actions.sign('edit', code)
    this.#hear(this.#world.exchange.editMarket(market, { ...edit, by }), answer => {
      this.actions.answered(by, answer === undefined ? 'done before' : 'refused')
      this.markets.edited(market, edit, answer)
    })
  }

  resolve(market: DeskMarket, outcome: Outcome): void {
    this.markets.askedToResolve(market, outcome)
    const wasThere = market.pendingOutcome === outcome
    const by = this.actions.sign(outcome === 'void' ? 'void' : 'resolve', market.terms.code)
    const resolution = { outcome, note: `it is ${outcome}` }
    const answer = this.#world.exchange.resolveMarket(market, resolution, by)
    const isDone = !wasThere && market.pendingOutcome === outcome
    this.#hear(answer, refusal => {
      const done = isDone ? 'done' : 'done before'
      this.actions.answered(by, refusal === undefined ? done : 'refused')
      this.markets.resolved(market, outcome, refusal)
    })
  }

  /** Delivers answers decided before a crash, then no more. */
  async fallSilent(): Promise<void> {
    for (let left = LAST_WORDS_TICKS; left > 0; left--) await tick()
    this.#isSilent = true
    for (let left = SILENCE_TICKS; left > 0; left--) await tick()
    this.#world.assertNoViolation()
    this.#isSilent = false
    this.#pending = 0
  }

  /** Checks the row of an answered transfer, which has the cash after it. */
  #assertMoved({ userId }: TransferRequest, row: TransferRow): void {
    this.users.add(userId)
    assert(row.cash >= 0, 'a transfer never leaves negative cash')
    assert(this.#world.exchange.balance(userId) !== undefined, 'a user with a transfer has an account')
  }

  #hear<Answer>(answer: Promise<Answer>, take: (answer: Answer) => void): void {
    const { epoch, violations } = this.#world
    this.#pending++
    const heard = answer.then(
      value => {
        assert(!this.#isSilent, 'a stopped exchange sends no answers')
        assert(epoch === this.#world.epoch, 'a stopped exchange never sends an answer later')
        this.#pending--
        take(value)
      },
      (error: unknown) => {
        if (!(error instanceof Crash)) throw error
      },
    )
    heard.catch((error: unknown) => violations.push(error))
  }
}

function isNamed(request: OrderRequest): request is NamedRequest {
  return request.key !== undefined
}
