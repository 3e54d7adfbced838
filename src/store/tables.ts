import { adminActionOf } from '../core/admin-action.js'
import type { Command, CreateOrder } from '../core/command.js'
import { arrivalOf } from '../core/command.js'
import type { BatchOutcome, OrderChange } from '../core/engine-event.js'
import type { EditedListing, EditedTerms } from '../core/market-edit.js'
import type { AccountPosting, CashEntry, PositionPosting } from '../core/postings.js'
import type { AccountNumber, MarketCode, OrderNumber, Sequence, TimeMs } from '../core/units.js'
import { updatesOf } from '../core/user-updates.js'
import { AccountRows, escrowOwner, userOwner } from './account-rows.js'
import { ActionRows } from './action-rows.js'
import type { Database } from './database.js'
import { EntryRows } from './entry-rows.js'
import { MarketRows } from './market-rows.js'
import { OrderKeyRows } from './order-key-rows.js'
import type { StoredProgress } from './order-rows.js'
import { OrderRows } from './order-rows.js'
import type { HeldContracts } from './position-rows.js'
import { PositionRows } from './position-rows.js'
import { SettlementRows } from './settlement-rows.js'
import { TradeRows } from './trade-rows.js'
import { TransferRows } from './transfer-rows.js'
import type { AfterBatch } from './update-rows.js'
import { UpdateRows } from './update-rows.js'

/** A batch's place in the one history. */
export interface BatchPlace {
  readonly sequence: Sequence
  readonly at: TimeMs
}

/** A user who was told something, and the number of the last message. */
export type ToldUser = readonly [AccountNumber, userSeq: number]

/** All tables but the journal, and how a batch's outcome is written into them. */
export class Tables {
  readonly accounts: AccountRows
  readonly positions: PositionRows
  readonly markets: MarketRows
  readonly orders: OrderRows
  readonly #actions: ActionRows
  readonly #orderKeys: OrderKeyRows
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
    this.#trades = new TradeRows(database)
    this.#entries = new EntryRows(database)
    this.#transfers = new TransferRows(database)
    this.#settlements = new SettlementRows(database)
    this.#updates = new UpdateRows(database)
  }

  /**
   * Writes everything a batch did, each touched row once, within the caller's transaction; answers the users
   * who have something to hear.
   */
  write(commands: readonly Command[], outcome: BatchOutcome, place: BatchPlace): ToldUser[] {
    const { at } = place
    const arrived = this.#writeArrivals(commands, at)
    this.#writeActions(commands, outcome, place)
    const orders = new Map<OrderChange, StoredProgress>()
    for (const change of outcome.orders) {
      const command = arrived.get(change.market)?.get(change.number)
      if (command === undefined) orders.set(change, this.orders.update(change, at))
      else {
        orders.set(change, this.orders.insert(command, change, at))
        this.#orderKeys.insert(command)
      }
    }
    for (const event of outcome.events) if (event.type === 'traded') this.#trades.insert(event, at)
    this.#writeMoney(outcome.accounts, outcome.entries, place)
    const positions = new Map<PositionPosting, HeldContracts>()
    for (const posting of outcome.positions) positions.set(posting, this.positions.post(posting))
    for (const settlement of outcome.settlements) this.#settlements.insert(settlement, at)
    this.#writeEdits(outcome)
    for (const change of outcome.markets) this.markets.update(change)
    return this.#writeUpdates(outcome, { orders, positions }, place)
  }

  #writeUpdates(outcome: BatchOutcome, after: AfterBatch, place: BatchPlace): ToldUser[] {
    return Array.from(updatesOf(outcome), ([account, updates]) => {
      return [account, this.#updates.insert(account, updates, after, place)] as const
    })
  }

  /** Writes what the commands bring; answers the orders that arrive, for the batch has changed them. */
  #writeArrivals(commands: readonly Command[], at: TimeMs): Map<MarketCode, Map<OrderNumber, CreateOrder>> {
    const arrived = new Map<MarketCode, Map<OrderNumber, CreateOrder>>()
    for (const command of commands) {
      const order = arrivalOf(command)
      if (order !== undefined) noteArrival(arrived, order)
      else if (command.type === 'OPEN_ACCOUNT')
        this.accounts.insert(command.account, userOwner(command.userId))
      else if (command.type === 'RESOLVE_MARKET') this.markets.resolve(command, at)
      else if (command.type === 'CREATE_MARKET') {
        this.accounts.insert(command.terms.escrow, escrowOwner(command.terms.code))
        this.markets.insert(command)
      }
    }
    return arrived
  }

  /** Who the operator's commands are from. */
  #writeActions(commands: readonly Command[], { edits }: BatchOutcome, { sequence, at }: BatchPlace): void {
    for (const [line, command] of commands.entries()) {
      const action = adminActionOf(command)
      if (action === undefined) continue
      const isRefused = edits.some(({ id, refusal }) => id === command.id && refusal !== undefined)
      if (!isRefused) this.#actions.insert(action, sequence, line, at)
    }
  }

  /** All edits of a market at once: between two of them the table's own check of its pairs may not hold. */
  #writeEdits({ edits, markets }: BatchOutcome): void {
    for (const change of edits.length > 0 ? markets : []) {
      const done = edits.filter(({ market, refusal }) => market === change.code && refusal === undefined)
      if (done.length === 0) continue
      const terms = Object.assign({}, ...done.map(edit => edit.terms)) as EditedTerms
      const listing = Object.assign({}, ...done.map(edit => edit.listing)) as EditedListing
      this.markets.edit({ terms, listing }, change)
    }
  }

  /** The balances, and the lines that explain them: counted backwards, from the cash after the batch. */
  #writeMoney(
    accounts: readonly AccountPosting[],
    entries: readonly CashEntry[],
    { sequence, at }: BatchPlace,
  ): void {
    const cash = new Map<AccountNumber, number>()
    for (const posting of accounts) cash.set(posting.account, this.accounts.post(posting))
    for (let line = entries.length - 1; line >= 0; line--) {
      const entry = entries[line] as CashEntry
      const after = cash.get(entry.account) ?? 0
      cash.set(entry.account, after - entry.change)
      this.#entries.insert(entry, sequence, line, at, after)
      if (entry.txnId !== undefined) this.#transfers.insert(entry, at, after)
    }
  }
}

function noteArrival(arrived: Map<MarketCode, Map<OrderNumber, CreateOrder>>, command: CreateOrder): void {
  let perMarket = arrived.get(command.market)
  if (perMarket === undefined) {
    perMarket = new Map()
    arrived.set(command.market, perMarket)
  }
  perMarket.set(command.number, command)
}
