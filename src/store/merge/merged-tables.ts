import { adminActionOf } from '../../core/admin-action.js'
import { assert } from '../../core/assert.js'
import type { Command } from '../../core/command.js'
import { createdMarketsOf, escrowsOf, resultsOf } from '../../core/command-effects.js'
import { namedAmendmentOf } from '../../core/named-amendment.js'
import type { PositionPosting } from '../../core/postings.js'
import { isForSeason } from '../../core/season.js'
import type { TimeMs } from '../../core/units.js'
import { updatesOf } from '../../core/user-updates.js'
import type { Database } from '../database.js'
import type { BatchPlace } from '../journal.js'
import { escrowOwner, makerOwner, userOwner } from '../rows/account-rows.js'
import { MergedAccounts } from './merged-accounts.js'
import { MergedEntries } from './merged-entries.js'
import { MergedFeeDays } from './merged-fee-days.js'
import { MergedGroups } from './merged-groups.js'
import { MergedHouse } from './merged-house.js'
import { MergedKeys } from './merged-keys.js'
import { MergedMarkets } from './merged-markets.js'
import { MergedOrders } from './merged-orders.js'
import { MergedPositions } from './merged-positions.js'
import { MergedSeasons } from './merged-seasons.js'
import { MergedTimers } from './merged-timers.js'
import { MergedUpdates } from './merged-updates.js'
import { RowBuffer } from './row-buffer.js'
import type { Arrival, TakenBatch } from './taken-batch.js'

type Outcome = TakenBatch['outcome']

/**
 * All tables except the journal, written for many batches at once: `take` collects what each batch did, in
 * memory, and `flush` writes every touched row once. The rows are those that writing batch by batch would
 * give, and a batch that breaks a rule of the tables throws when it is taken. No one else may write these
 * tables meanwhile: rows once read or written are not read again.
 */
export class MergedTables {
  readonly #accounts: MergedAccounts
  readonly #positions: MergedPositions
  readonly #markets: MergedMarkets
  readonly #groups: MergedGroups
  readonly #house: MergedHouse
  readonly #orders: MergedOrders
  readonly #keys: MergedKeys
  readonly #entries: MergedEntries
  readonly #updates: MergedUpdates
  readonly #timers: MergedTimers
  readonly #seasons: MergedSeasons
  readonly #feeDays: MergedFeeDays
  readonly #actions: RowBuffer
  readonly #trades: RowBuffer
  readonly #settlements: RowBuffer

  /** @param cachedMax the most rows of a table kept in memory between flushes; each takes some 200 bytes */
  constructor(database: Database, cachedMax = 100_000) {
    this.#accounts = new MergedAccounts(database, cachedMax)
    this.#positions = new MergedPositions(database, cachedMax)
    this.#markets = new MergedMarkets(database, cachedMax)
    this.#orders = new MergedOrders(database, cachedMax)
    this.#keys = new MergedKeys(database)
    this.#groups = new MergedGroups(database)
    this.#house = new MergedHouse(database)
    this.#entries = new MergedEntries(database, this.#accounts)
    this.#updates = new MergedUpdates(database, this.#orders, this.#positions)
    this.#timers = new MergedTimers(database)
    this.#seasons = new MergedSeasons(database)
    this.#feeDays = new MergedFeeDays(database)
    this.#actions = new RowBuffer(database, 'admin_actions', { width: 9 })
    this.#trades = new RowBuffer(database, 'trades', { width: 10 })
    this.#settlements = new RowBuffer(database, 'settlements', { width: 8 })
  }

  /** Collects what a batch did. Batches are taken in the order of the journal. */
  take({ place, arrivals, others, outcome }: TakenBatch): void {
    const { at } = place
    // Before the orders: these may be of accounts that it opens.
    for (const [, command] of others) this.#takeCommand(command, at)
    for (const arrival of arrivals) this.#takeOrder(arrival, at)
    this.#groups.take(others, outcome, at)
    this.#takeActions(others, outcome, place)
    for (const change of outcome.orders) this.#orders.apply(change, at)
    for (const [, command] of others) this.#takeName(command)
    this.#takeTrades(outcome, at)
    for (const posting of outcome.positions) {
      const isFirst = this.#positions.post(posting)
      if (isFirst && this.#isTraders(posting)) this.#markets.addTrader(posting.market)
    }
    for (const posting of outcome.accounts) this.#accounts.post(posting)
    this.#entries.add(outcome.entries, place)
    this.#feeDays.take(outcome.entries, at)
    for (const [number, updates] of updatesOf(outcome))
      this.#updates.add(this.#accounts.changing(number), updates, place)
    for (const { account, market, outcome: end, yes, no, paid, payment } of outcome.settlements)
      this.#settlements.add(account, market, end, yes, no, paid, payment, at)
    for (const edit of outcome.edits) this.#markets.edit(edit)
    for (const change of outcome.markets) this.#markets.apply(change)
  }

  /** Writes everything collected, within the caller's transaction. */
  flush(): void {
    this.#accounts.flush()
    this.#markets.flush()
    this.#groups.flush()
    this.#house.flush()
    this.#orders.flush()
    this.#keys.flush()
    this.#trades.flush()
    this.#positions.flush()
    this.#entries.flush()
    this.#feeDays.flush()
    this.#updates.flush()
    this.#settlements.flush()
    this.#timers.flush()
    this.#seasons.flush()
    this.#actions.flush()
  }

  #takeCommand(command: Command, at: TimeMs): void {
    const amendment = namedAmendmentOf(command)
    if (amendment !== undefined) this.#keys.addAmendment(amendment)
    if (command.type === 'OPEN_ACCOUNT') this.#accounts.open(command.account, userOwner(command.userId))
    else if (command.type === 'KEEP_BATCH') this.#keys.addBatch(command)
    else if (command.type === 'SET_TIMER' || command.type === 'FIRE_TIMER') this.#timers.take(command)
    else if (isForSeason(command)) this.#seasons.take(command, at)
    else this.#takeMarkets(command, at)
  }

  /** Returns whether a position is a trader's: neither net payments to a group, nor the house's. */
  #isTraders({ market, account }: PositionPosting): boolean {
    return !this.#groups.has(market) && !this.#house.has(account)
  }

  #takeMarkets(command: Command, at: TimeMs): void {
    if (command.type === 'FUND_QUOTES') {
      this.#accounts.open(command.account, makerOwner(command.market, command.round))
    }
    this.#house.take(command, at)
    for (const [escrow, pool] of escrowsOf(command)) this.#accounts.open(escrow, escrowOwner(pool))
    for (const created of createdMarketsOf(command)) this.#markets.create(created)
    for (const result of resultsOf(command)) this.#markets.resolve(result, at)
  }

  /** Moves the name of a replaced order to its replacement, unless that was refused. */
  #takeName(command: Command): void {
    if (command.type !== 'REPLACE_ORDER' || command.order.name === undefined) return
    const { market, number } = command.order
    if (this.#orders.find(market, number).state !== 'rejected') this.#keys.move(command.order)
  }

  #takeOrder(arrival: Arrival, at: TimeMs): void {
    const account = this.#accounts.changing(arrival.account)
    this.#orders.arrive(arrival, account.lastMarket, account.lastNumber, at)
    account.lastMarket = arrival.market
    account.lastNumber = arrival.number
    this.#keys.addOrder(arrival)
  }

  #takeActions(others: TakenBatch['others'], { edits }: Outcome, { sequence, at }: BatchPlace): void {
    for (const [line, command] of others) {
      const action = adminActionOf(command)
      if (action === undefined) continue
      if (edits.some(({ id, refusal }) => id === command.id && refusal !== undefined)) continue
      const { verb, by, market = null, account = null } = action
      const { who, address, fields } = by
      this.#actions.add(sequence, line, at, who, address, verb, market, account, JSON.stringify(fields))
    }
  }

  #takeTrades({ trades }: Outcome, at: TimeMs): void {
    for (const { market, takerSide, taker, takerOwner, fills } of trades) {
      for (const { trade, price, quantity, maker, makerOwner } of fills) {
        assert(quantity > 0, 'a trade has a quantity')
        this.#trades.add(market, trade, price, quantity, takerSide, taker, takerOwner, maker, makerOwner, at)
      }
    }
  }
}
