import { adminActionOf } from '../core/admin-action.js'
import { assert } from '../core/assert.js'
import type { Command, CreateOrder } from '../core/command.js'
import { newOrderOf } from '../core/command.js'
import type { BatchOutcome, OrderChange } from '../core/engine-event.js'
import type { EditedListing, EditedTerms } from '../core/market-edit.js'
import type { CashEntry, PositionPosting } from '../core/postings.js'
import type { HeldContracts } from '../core/records/position-record.js'
import type { TransferRow } from '../core/records/statement-record.js'
import type { AccountNumber, MarketCode, OrderNumber, Sequence, TimeMs } from '../core/units.js'
import { amount } from '../core/units.js'
import { updatesOf } from '../core/user-updates.js'
import { ChainTails } from './chain-tails.js'
import type { Database } from './database.js'
import type { StoredMoney } from './rows/account-rows.js'
import { AccountRows, escrowOwner, userOwner } from './rows/account-rows.js'
import { ActionRows } from './rows/action-rows.js'
import { BatchKeyRows } from './rows/batch-key-rows.js'
import type { EntryLink } from './rows/entry-rows.js'
import { EntryRows } from './rows/entry-rows.js'
import { MarketRows } from './rows/market-rows.js'
import { OrderKeyRows } from './rows/order-key-rows.js'
import type { OrderLink, StoredProgress } from './rows/order-rows.js'
import { OrderRows } from './rows/order-rows.js'
import { PositionRows } from './rows/position-rows.js'
import { SettlementRows } from './rows/settlement-rows.js'
import { TradeRows } from './rows/trade-rows.js'
import { TransferRows } from './rows/transfer-rows.js'
import type { AfterBatch } from './rows/update-rows.js'
import { UpdateRows } from './rows/update-rows.js'

/** A batch's sequence and time. */
export interface BatchPlace {
  readonly sequence: Sequence
  readonly at: TimeMs
}

/** A user with new private messages, and the number of the last one. */
export type UpdatedUser = readonly [AccountNumber, userSeq: number]

/** The part of what was written that callers need. */
export interface Written {
  readonly updatedUsers: UpdatedUser[]
  readonly transfers: TransferRow[]
}

/** All tables except the journal; writes a batch's outcome to them. */
export class Tables {
  readonly accounts: AccountRows
  readonly positions: PositionRows
  readonly markets: MarketRows
  readonly orders: OrderRows
  readonly #actions: ActionRows
  readonly #orderKeys: OrderKeyRows
  readonly #batchKeys: BatchKeyRows
  readonly #trades: TradeRows
  readonly #entries: EntryRows
  readonly #transfers: TransferRows
  readonly #settlements: SettlementRows
  readonly #updates: UpdateRows

  constructor(database: Database) {
    this.accounts = new AccountRows(database)
    this.positions = new PositionRows(database)
    this.markets = new MarketRows(database)
    this.orders = new OrderRows(database)
    this.#actions = new ActionRows(database)
    this.#orderKeys = new OrderKeyRows(database)
    this.#batchKeys = new BatchKeyRows(database)
    this.#trades = new TradeRows(database)
    this.#entries = new EntryRows(database)
    this.#transfers = new TransferRows(database)
    this.#settlements = new SettlementRows(database)
    this.#updates = new UpdateRows(database)
  }

  /**
   * Writes everything a batch did, each touched row once, within the caller's transaction. Returns the users
   * with new messages, and the transfers.
   */
  write(commands: readonly Command[], outcome: BatchOutcome, place: BatchPlace): Written {
    const { at } = place
    const ends = new ChainTails(this.accounts, this.#entries.lastId(), this.#updates.lastId())
    const arrived = this.#writeArrivals(commands, ends, at)
    this.#writeActions(commands, outcome, place)
    const orders = new Map<OrderChange, StoredProgress>()
    for (const change of outcome.orders) {
      const arrival = arrived.get(change.market)?.get(change.number)
      if (arrival === undefined) orders.set(change, this.orders.update(change, at))
      else {
        orders.set(change, this.orders.insert(arrival.order, arrival.previous, change, at))
        this.#orderKeys.insert(arrival.order)
        if (change.state !== 'rejected') this.#orderKeys.move(arrival.order)
        const { batch, market, number } = arrival.order
        if (batch !== undefined) this.#batchKeys.insertOrder(batch, market, number)
      }
    }
    for (const event of outcome.events) if (event.type === 'traded') this.#trades.insert(event, at)
    const positions = new Map<PositionPosting, HeldContracts>()
    for (const posting of outcome.positions) positions.set(posting, this.positions.post(posting))
    const written = this.#writeAccounts(outcome, ends, { orders, positions }, place)
    for (const settlement of outcome.settlements) this.#settlements.insert(settlement, at)
    this.#writeEdits(outcome)
    for (const change of outcome.markets) this.markets.update(change)
    return written
  }

  /** Writes the rows that the commands create; returns the new orders, which the batch has changed since. */
  #writeArrivals(commands: readonly Command[], ends: ChainTails, at: TimeMs): Arrivals {
    const arrived: Arrivals = new Map()
    for (const command of commands) {
      const order = newOrderOf(command)
      if (order !== undefined) noteArrival(arrived, { order, previous: ends.addOrder(order) })
      else if (command.type === 'OPEN_ACCOUNT')
        this.accounts.insert(command.account, userOwner(command.userId))
      else if (command.type === 'KEEP_BATCH') this.#batchKeys.insertWhole(command)
      else if (command.type === 'RESOLVE_MARKET') this.markets.resolve(command, at)
      else if (command.type === 'CREATE_MARKET') {
        this.accounts.insert(command.terms.escrow, escrowOwner(command.terms.code))
        this.markets.insert(command)
      }
    }
    return arrived
  }

  /** Writes the audit log of the operator commands. */
  #writeActions(commands: readonly Command[], { edits }: BatchOutcome, { sequence, at }: BatchPlace): void {
    for (const [line, command] of commands.entries()) {
      const action = adminActionOf(command)
      if (action === undefined) continue
      const isRefused = edits.some(({ id, refusal }) => id === command.id && refusal !== undefined)
      if (!isRefused) this.#actions.insert(action, sequence, line, at)
    }
  }

  /** Writes all edits of a market at once: between two of them the table's CHECK on open pairs could fail. */
  #writeEdits({ edits, markets }: BatchOutcome): void {
    for (const change of edits.length > 0 ? markets : []) {
      const done = edits.filter(({ market, refusal }) => market === change.code && refusal === undefined)
      if (done.length === 0) continue
      const terms = Object.assign({}, ...done.map(edit => edit.terms)) as EditedTerms
      const listing = Object.assign({}, ...done.map(edit => edit.listing)) as EditedListing
      this.markets.edit({ terms, listing }, change)
    }
  }

  /** Writes balances, statement lines and user messages; each account's row once. */
  #writeAccounts(outcome: BatchOutcome, ends: ChainTails, after: AfterBatch, place: BatchPlace): Written {
    const links = outcome.entries.map(entry => ends.addEntry(entry))
    const updates = Array.from(updatesOf(outcome), ([account, messages]) => {
      return { account, messages, previous: ends.addUpdates(account, messages) }
    })
    const money = new Map<AccountNumber, StoredMoney>()
    for (const posting of outcome.accounts) {
      money.set(posting.account, this.accounts.post(posting, ends.get(posting.account)))
    }
    for (const account of ends.accounts()) {
      if (money.has(account)) continue
      money.set(account, this.accounts.post({ account, cash: 0, held: 0 }, ends.get(account)))
    }
    const transfers = this.#writeEntries(outcome.entries, links, money, place)
    const updatedUsers = updates.map(({ account, messages, previous }): UpdatedUser => {
      const has = money.get(account)
      const last = ends.get(account)
      assert(has !== undefined && last !== undefined, 'every user with messages has an account')
      this.#updates.insert(account, last, previous, messages, after, has, place)
      return [account, last.userSeq]
    })
    return { updatedUsers, transfers }
  }

  /**
   * Writes statement lines; works the cash after each backwards from the batch's end. Returns the transfers.
   */
  #writeEntries(
    entries: readonly CashEntry[],
    links: readonly EntryLink[],
    money: ReadonlyMap<AccountNumber, StoredMoney>,
    { sequence, at }: BatchPlace,
  ): TransferRow[] {
    const transfers: TransferRow[] = []
    const cash = new Map<AccountNumber, number>(Array.from(money, ([account, has]) => [account, has.cash]))
    const afters = entries.map(() => 0)
    for (let line = entries.length - 1; line >= 0; line--) {
      const { account, change } = entries[line] as CashEntry
      const after = cash.get(account) ?? 0
      afters[line] = after
      cash.set(account, after - change)
    }
    for (const [line, entry] of entries.entries()) {
      const after = afters[line] as number
      this.#entries.insert(links[line] as EntryLink, entry, { sequence, line }, at, after)
      const { txnId } = entry
      if (txnId !== undefined) transfers.push(this.#transfers.insert(txnId, entry, at, amount(after)))
    }
    return transfers
  }
}

interface Arrival {
  readonly order: CreateOrder
  /** The user's order before it. */
  readonly previous: OrderLink
}

type Arrivals = Map<MarketCode, Map<OrderNumber, Arrival>>

function noteArrival(arrived: Arrivals, arrival: Arrival): void {
  const { market, number } = arrival.order
  let perMarket = arrived.get(market)
  if (perMarket === undefined) {
    perMarket = new Map()
    arrived.set(market, perMarket)
  }
  perMarket.set(number, arrival)
}
