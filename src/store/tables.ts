import type { Command, CreateOrder } from '../core/command.js'
import type { BatchOutcome } from '../core/engine-event.js'
import type { MarketCode, OrderNumber, TimeMs } from '../core/units.js'
import { AccountRows, escrowOwner, userOwner } from './account-rows.js'
import type { Database } from './database.js'
import { MarketRows } from './market-rows.js'
import { OrderRows } from './order-rows.js'
import { PositionRows } from './position-rows.js'
import { TradeRows } from './trade-rows.js'

/** All tables but the journal, and how a batch's outcome is written into them. */
export class Tables {
  readonly accounts: AccountRows
  readonly positions: PositionRows
  readonly markets: MarketRows
  readonly orders: OrderRows
  readonly trades: TradeRows

  constructor(database: Database) {
    this.accounts = new AccountRows(database)
    this.positions = new PositionRows(database)
    this.markets = new MarketRows(database)
    this.orders = new OrderRows(database)
    this.trades = new TradeRows(database)
  }

  /** Writes everything a batch did, each touched row once, within the caller's transaction. */
  write(commands: readonly Command[], outcome: BatchOutcome, at: TimeMs): void {
    const arrived = new Map<MarketCode, Map<OrderNumber, CreateOrder>>()
    for (const command of commands) {
      if (command.type === 'OPEN_ACCOUNT') this.accounts.insert(command.account, userOwner(command.userId))
      if (command.type === 'CREATE_ORDER') noteArrival(arrived, command)
      if (command.type !== 'CREATE_MARKET') continue
      this.accounts.insert(command.terms.escrow, escrowOwner(command.terms.code))
      this.markets.insert(command)
    }
    for (const change of outcome.orders) {
      const command = arrived.get(change.market)?.get(change.number)
      if (command === undefined) this.orders.update(change, at)
      else this.orders.insert(command, change, at)
    }
    for (const event of outcome.events) if (event.type === 'traded') this.trades.insert(event, at)
    for (const posting of outcome.accounts) this.accounts.post(posting)
    for (const posting of outcome.positions) this.positions.post(posting)
    for (const change of outcome.markets) this.markets.update(change)
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
