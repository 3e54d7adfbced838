import { adminActionOf } from '../../core/admin-action.js'
import type { Command, CommandBatch, CreateOrder } from '../../core/command.js'
import type {
  BatchOutcome,
  EngineEvent,
  MarketChange,
  OrderChange,
  Settlement,
} from '../../core/engine-event.js'
import type { CreatedMarket } from '../../core/group-command.js'
import type { SetResult } from '../../core/command-effects.js'
import { createdMarketsOf, escrowsOf, resultsOf } from '../../core/command-effects.js'
import { EXTERNAL, FEES, HOUSE } from '../../core/ledger.js'
import { newProgress } from '../../core/market.js'
import { isOpen } from '../../core/order.js'
import { namedAmendmentOf } from '../../core/named-amendment.js'
import type { CashEntry } from '../../core/postings.js'
import type { MarketCode, OrderNumber, QuantityLots, Sequence, TimeMs } from '../../core/units.js'
import { NO_LOTS } from '../../core/units.js'
import { isForHouse } from '../../engine/command-kinds.js'
import { Engine } from '../../engine/engine.js'
import { escrowOwner, makerOwner, userOwner } from '../../store/rows/account-rows.js'
import type { Findings } from '../findings.js'
import type { ExpectedRows } from '../stored/expected-rows.js'
import { orNone } from '../stored/row-lines.js'
import type { ShadowAccount } from './shadow-account.js'
import { followAccount, ShadowStatements } from './shadow-account.js'
import { followGroups, ShadowGroup } from './shadow-group.js'
import { followHouse, housesFaults } from './shadow-house.js'
import { ShadowMarket } from './shadow-market.js'
import { ShadowNotes } from './shadow-notes.js'
import type { ShadowOrder } from './shadow-order.js'
import { followOrder, waits } from './shadow-order.js'
import type { StandsAfter } from './shadow-updates.js'
import { ShadowUpdates } from './shadow-updates.js'

/** A market's row, from its latest change. */
export interface ReplayedMarket {
  readonly followed: ShadowMarket
  change: MarketChange
  resolved: (Pick<SetResult, 'sourceUrl' | 'note'> & { readonly at: number }) | undefined
}

/** Faults in the replay itself: in the fills, and in the second count of the money. */
export interface ReplayFindings {
  readonly fills: Findings
  readonly money: Findings
}

/**
 * Plays the journal once more, from nothing: one engine decides every batch, and its outcomes are kept as the
 * rows that the tables should hold.
 */
export class Replay {
  readonly engine = new Engine()
  readonly accounts = new Map<number, ShadowAccount>()
  readonly markets = new Map<number, ReplayedMarket>()
  readonly groups = new Map<number, ShadowGroup>()
  readonly notes = new ShadowNotes()
  readonly updates: ShadowUpdates
  readonly #rows: ExpectedRows
  readonly #findings: ReplayFindings
  readonly #statements: ShadowStatements
  readonly #after: StandsAfter = {
    order: change => this.#order(change),
    position: ({ market, account }) => this.#market(market).followed.position(account),
    money: account => this.#account(account),
    entry: account => this.#account(account).lastEntry,
  }
  #last: ReplayedMarket | undefined
  ordersCount = 0

  constructor(rows: ExpectedRows, findings: ReplayFindings) {
    this.#rows = rows
    this.#statements = new ShadowStatements(rows)
    this.updates = new ShadowUpdates(rows)
    this.#findings = findings
    this.#open(EXTERNAL, 'external')
    this.#open(FEES, 'fees')
    this.#open(HOUSE, 'house')
  }

  /** Decides a batch again; throws BrokenInvariant if that is impossible. */
  apply(sequence: Sequence, batch: CommandBatch): void {
    const outcome = this.engine.apply(batch)
    const refused = new Set(outcome.edits.filter(edit => edit.refusal !== undefined).map(({ id }) => id))
    for (const [line, command] of batch.commands.entries()) {
      this.#takeCommand(command, batch.at)
      if (!refused.has(command.id)) this.#takeAction(command, sequence, line, batch.at)
    }
    for (const edit of outcome.edits) this.#market(edit.market).followed.edit(edit)
    const changed = outcome.orders.map(change => ({ change, order: this.#order(change) }))
    for (const { change, order } of changed) this.#takeReduced(change, order)
    this.#takeEvents(outcome.events, batch.at)
    for (const { change, order } of changed) this.#takeChange(change, order, batch.at)
    followGroups(this.groups, batch, outcome, this.#rows)
    this.#takeMoney(sequence, batch.at, outcome)
    this.updates.take(sequence, batch.at, outcome, this.#after)
    for (const { change, order } of changed) if (!isOpen(order.state)) this.#end(change, order)
    for (const change of outcome.markets) {
      const market = this.#market(change.code)
      market.change = change
      market.followed.checkBook()
      for (const fault of housesFaults(market.followed)) this.#findings.fills.add(() => fault)
    }
  }

  #takeCommand(command: Command, at: TimeMs): void {
    this.#rows.amendment(namedAmendmentOf(command))
    this.notes.take(command, at)
    if (command.type === 'CREATE_ORDER') this.#takeOrder(command, at)
    else if (command.type === 'REPLACE_ORDER') {
      const { replacing, orders } = this.#market(command.market).followed
      replacing.set(command.order.number, command)
      this.#takeOrder(command.order, at, orders.get(command.number))
    } else if (command.type === 'REDUCE_ORDER') this.#reduce(command.market, command.number, command.lots)
    else if (command.type === 'REPLACE_QUOTES') {
      for (const [number, lots = NO_LOTS] of command.cuts) this.#reduce(command.market, number, lots)
      for (const order of command.orders) this.#takeOrder(order, at)
    } else if (command.type === 'OPEN_ACCOUNT') {
      this.#open(command.account, userOwner(command.userId)).broughtIn += command.amount
    } else if (command.type === 'TRANSFER_MONEY') {
      const { account, direction, amount } = command
      this.#account(account).broughtIn += direction === 'deposit' ? amount : -amount
    } else if (command.type === 'KEEP_BATCH') this.#rows.batch(command)
    else this.#takeMarkets(command, at)
  }

  #takeMarkets(command: Command, at: TimeMs): void {
    if (command.type === 'CREATE_GROUP') {
      this.groups.set(command.terms.code, new ShadowGroup(command.terms, command.listing))
    } else if (command.type === 'EDIT_GROUP') this.groups.get(command.group)?.edit(command)
    if (command.type === 'FUND_QUOTES') this.#open(command.account, makerOwner(command.market, command.round))
    if (isForHouse(command)) {
      const { followed } = this.#market(command.market)
      this.#account(command.account).broughtIn += followHouse(followed, command, at)
    }
    if (command.type === 'REQUOTE_HOUSE') for (const order of command.orders) this.#takeOrder(order, at)
    for (const [escrow, pool] of escrowsOf(command)) this.#open(escrow, escrowOwner(pool))
    for (const created of createdMarketsOf(command)) this.#create(created)
    for (const result of resultsOf(command)) this.#market(result.market).resolved = { at, ...result }
  }

  #reduce(market: MarketCode, number: OrderNumber, by: QuantityLots): void {
    const smaller = this.#market(market).followed.orders.get(number)
    if (smaller !== undefined) smaller.reducing += by
  }

  #takeAction(command: Command, sequence: number, line: number, at: TimeMs): void {
    const action = adminActionOf(command)
    if (action === undefined) return
    const { verb, by, market, account } = action
    const cells = [at, by.who, by.address, verb, orNone(market), orNone(account), JSON.stringify(by.fields)]
    this.#rows.keyed('admin_actions', `${sequence} ${line}`, cells)
  }

  #takeOrder(order: CreateOrder, at: TimeMs, replaced?: ShadowOrder): void {
    const { market, number, account, key, batch } = order
    this.ordersCount++
    const user = this.#account(account)
    const line = this.#rows.begin('orders', market, number)
    const entered = followOrder(order, at, line, user.lastMarket, user.lastNumber, replaced)
    user.lastMarket = market
    user.lastNumber = number
    this.#market(market).followed.orders.set(number, entered)
    if (key !== undefined) this.#takeName(market, entered)
    if (batch !== undefined) this.#rows.batch(batch, order)
  }

  #takeName(market: MarketCode, { account, number, key }: ShadowOrder): void {
    if (key) this.#rows.keyed('order_keys', `${account} ${key.name}`, [key.fingerprint, market, number])
  }

  /** Notes the reduction of an order, at some point of the batch: its fills also fit the smaller quantity. */
  #takeReduced({ market, number, reduced, state }: OrderChange, order: ShadowOrder): void {
    const { reducing } = order
    order.reducing = 0
    // A reduction that left nothing would have ended the order instead.
    const isLess = reduced < reducing && isOpen(state ?? order.state)
    if (reduced > reducing || isLess) {
      const say = `order ${market}-${number}: it is ${reduced} smaller, to be ${reducing} smaller`
      this.#findings.fills.add(() => say)
    }
    order.quantity -= reduced
    order.remaining -= reduced
  }

  #create({ terms, listing, status }: CreatedMarket): void {
    const followed = new ShadowMarket(terms, listing, say => this.#findings.fills.add(say))
    if (terms.group !== undefined) this.groups.get(terms.group)?.markets.push(followed)
    const change = { code: terms.code, ...newProgress(status) }
    this.markets.set(terms.code, { followed, change, resolved: undefined })
  }

  #takeEvents(events: readonly EngineEvent[], at: number): void {
    for (const event of events) {
      this.#market(event.market).followed.take(event, at)
      if (event.type === 'traded') this.#rows.trades(event, at)
    }
  }

  #takeChange(change: OrderChange, order: ShadowOrder, at: number): void {
    const { fees } = this.#market(change.market).followed
    // A replacement goes by the name of the order that it replaces, unless it is refused.
    if (order.state === 'queued' && change.state !== 'rejected') this.#takeName(change.market, order)
    order.filled += change.filled
    order.filledValue += change.filledValue
    order.covered = change.covered
    order.state = change.state ?? order.state
    order.reason = change.reason
    order.updatedAt = at
    order.feePaid += change.fee
    order.feeCredit = change.feeCredit
    for (const wrong of fees.faultsOf(order)) this.#findings.money.add(() => wrong)
    if (order.quantity !== order.filled + order.remaining + order.cancelled) {
      const { filled, remaining, cancelled, quantity } = order
      this.#findings.fills.add(() => {
        const parts = `${filled} filled, ${remaining} left and ${cancelled} cancelled`
        return `order ${change.market}-${change.number}: ${parts} of ${quantity}`
      })
    }
    if (isOpen(order.state) && !waits(order)) {
      this.#findings.fills.add(() => `order ${change.market}-${change.number}: it rests, and must not`)
    }
  }

  /** Forgets an order that has ended, once its user has heard of it. */
  #end({ market, number }: OrderChange, order: ShadowOrder): void {
    this.#market(market).followed.orders.delete(number)
    this.#rows.order(market, order)
  }

  #order({ market, number }: OrderChange): ShadowOrder {
    const order = this.#market(market).followed.orders.get(number)
    if (order === undefined) throw new Error(`order ${market}-${number} has not arrived`)
    return order
  }

  #takeMoney(sequence: Sequence, at: TimeMs, outcome: BatchOutcome): void {
    for (const { account, cash, held } of outcome.accounts) {
      const known = this.#account(account)
      known.cash += cash
      known.held += held
    }
    for (const posting of outcome.positions) {
      const group = this.groups.get(posting.market)
      if (group !== undefined) {
        group.post(posting)
        continue
      }
      const position = this.#market(posting.market).followed.position(posting.account)
      position.yes += posting.yes
      position.no += posting.no
      position.yesLocked += posting.yesLocked
      position.noLocked += posting.noLocked
      position.paid += posting.paid
    }
    for (let line = 0; line < outcome.entries.length; line++) {
      const entry = outcome.entries[line] as CashEntry
      const account = this.#account(entry.account)
      account.entered += entry.change
      this.#rows.transfer(entry, at, account.entered)
      this.#statements.add(account, entry, { sequence, line }, at)
    }
    for (const settlement of outcome.settlements) this.#settle(settlement, at)
  }

  /** Settles a position, and checks it against the contracts and stakes counted from the fills alone. */
  #settle(settlement: Settlement, at: number): void {
    const { market, account, outcome, paid, payment } = settlement
    this.#rows.settlement(settlement, at)
    if (outcome === 'void') this.#account(account).broughtIn += payment - paid
    const wrong = (what: string) =>
      this.#findings.money.add(() => `settlement of account ${account} in market ${market}: ${what}`)
    for (const fault of (this.groups.get(market) ?? this.#market(market).followed).settle(settlement))
      wrong(fault)
  }

  #market(code: number): ReplayedMarket {
    // What one command does is in one market, nearly always.
    if (this.#last?.change.code === code) return this.#last
    const market = this.markets.get(code)
    if (market === undefined) throw new Error(`market ${code} is not created yet`)
    this.#last = market
    return market
  }

  #account(number: number): ShadowAccount {
    const account = this.accounts.get(number)
    if (account === undefined) throw new Error(`account ${number} is not open yet`)
    return account
  }

  #open(number: number, owner: string): ShadowAccount {
    const account = followAccount(owner)
    this.accounts.set(number, account)
    return account
  }
}
