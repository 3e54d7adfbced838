import { assert } from '../core/assert.js'
import type { Command } from '../core/command.js'
import type { MarketChange, OrderChange } from '../core/engine-event.js'
import { HOUSE_USER_ID } from '../core/house/house-command.js'
import { Ledger } from '../core/ledger.js'
import { keepsOrders } from '../core/market.js'
import type { EditOutcome, MarketEdit } from '../core/market-edit.js'
import { isOpen } from '../core/order.js'
import type { OrderRecord } from '../core/order-record.js'
import { applyChange } from '../core/order-record.js'
import type { OrderTimer } from '../core/order-timer.js'
import type { TransferRow } from '../core/records/statement-record.js'
import type { AccountNumber, MarketCode, OrderNumber, TimeMs } from '../core/units.js'
import { amount } from '../core/units.js'
import type { BatchResult, CommittedTransfer } from '../shard/batch-runner.js'
import { NotLeaderError } from '../shard/not-leader-error.js'
import type { ReplicaLink } from '../shard/replica-link.js'
import type { Room } from '../store/room-state.js'
import { ENDLESS_ROOM } from '../store/room-state.js'
import { Users } from './accounts/users.js'
import type { WriteBusy } from './capacity.js'
import type { ExchangeOptions, OrderLimits } from './exchange-options.js'
import { DeskGroups } from './groups/desk-groups.js'
import { DeskHouse } from './house/desk-house.js'
import { KeptEpochs } from './kept-epochs.js'
import { land } from './land-command.js'
import { Activity } from './markets/activity.js'
import { TRAIL_MS } from './markets/day-trail.js'
import type { DeskMarket } from './markets/desk-market.js'
import { Forgetting } from './markets/forgetting.js'
import { NO_FEE_SETTINGS } from './markets/fee-rates.js'
import { MarketDirectory } from './markets/market-directory.js'
import { OwnOrders } from './orders/own-orders.js'
import { QuoteSets } from './orders/quote-sets.js'
import { RestedOrders } from './orders/rested-orders.js'
import type { ChangedRecords, Publication } from './publications.js'
import { noteRecord, publish } from './publications.js'
import { FreshRows } from './reads/fresh-rows.js'
import { DeskSeasons } from './seasons/desk-seasons.js'

/** The messages and transfers of a batch that memory includes. */
export interface Applied {
  readonly publications: readonly Publication[]
  readonly transfers: readonly TransferRow[]
}

const NOTHING_EDITED: MarketEdit = { terms: {}, listing: {} }

/** The main thread's memory: money, users, markets, open orders; changed by committed batches and holds. */
export class Desk {
  readonly ledger = new Ledger()
  readonly users = new Users()
  readonly markets = new MarketDirectory()
  readonly groups = new DeskGroups(this.ledger, this.markets)
  readonly house = new DeskHouse(this.ledger, this.markets)
  readonly forgetting: Forgetting
  /** The orders of before the start that have no record yet. */
  readonly rested = new RestedOrders(account => this.ownerOf(account))
  readonly ownOrders = new OwnOrders(this.rested)
  readonly quoteSets = new QuoteSets()
  readonly fresh = new FreshRows()
  readonly activity = new Activity()
  /** The timers that are set, and those that fired and whose orders have not all ended. */
  readonly timers = new Map<AccountNumber, OrderTimer>()
  readonly seasons = new DeskSeasons()
  /** False while this exchange follows another one: nothing but its rows changes anything. */
  leads = true
  epochs = new KeptEpochs()
  /** The disk's room, as the server measures it. */
  room: Room = ENDLESS_ROOM
  /** Returns what operators have set for a user's orders. */
  limitsOf: (userId: string) => OrderLimits | undefined = () => undefined
  #log: Pick<ReplicaLink, 'isCutOff'> | undefined

  /** The fee rates of events that have none of their own. */
  fees = NO_FEE_SETTINGS

  /** @param forgetAfterMs how long memory keeps an event that is over */
  constructor(forgetAfterMs = TRAIL_MS) {
    this.forgetting = new Forgetting(this, forgetAfterMs)
  }

  /** Takes the room on the disk, the fees and the bounds of users' orders from the options, if given. */
  follow({ room, openOrdersMax, limitsOf, fees, replica }: ExchangeOptions): void {
    this.#log = replica
    this.fees = fees ?? this.fees
    const prepare = (market: DeskMarket) => {
      market.feeSettings = this.fees
    }
    for (const market of this.markets.allInMemory()) prepare(market)
    this.markets.preparing.push(prepare)
    this.room = room ?? this.room
    this.ownOrders.lengthMax = openOrdersMax ?? this.ownOrders.lengthMax
    this.limitsOf = limitsOf ?? this.limitsOf
  }

  /** False while this exchange follows another one, or another one may lead in its place. */
  get mayDecide(): boolean {
    return this.leads && this.#log?.isCutOff !== true
  }

  /** Asserts that this exchange decides, where a request has no other refusal: what is due, and results. */
  assertLeads(): void {
    if (!this.mayDecide) throw new NotLeaderError()
  }

  /** Returns the refusal for requests that make the file grow, if the disk is low. */
  get growthRefusal(): WriteBusy | undefined {
    if (!this.mayDecide) return 'not_leader'
    return this.room.state === 'ok' ? undefined : 'disk_low'
  }

  /** Returns the refusal for orders, conversions, transfers and results: as above, or in a season's turn. */
  get tradeRefusal(): WriteBusy | 'season_turn' | undefined {
    return this.seasons.isTurning ? 'season_turn' : this.growthRefusal
  }

  /** Returns the refusal for cancels, if the disk is full. */
  get endingRefusal(): WriteBusy | undefined {
    if (!this.mayDecide) return 'not_leader'
    return this.room.state === 'full' ? 'disk_full' : undefined
  }

  market(code: MarketCode): DeskMarket {
    const market = this.markets.get(code)
    assert(market !== undefined, 'the market of a committed command exists')
    return market
  }

  /** Applies a committed batch: ends its holds and locks in flight, then posts its outcome. */
  applyCommitted(commands: readonly Command[], result: BatchResult): Applied {
    const { sequence, outcome, at } = result
    for (const command of commands) land(this, command, result)
    for (const edit of outcome.edits) this.#edit(edit)
    this.ledger.post(outcome.accounts, outcome.positions)
    const records: ChangedRecords = new Map()
    const ended: OrderRecord[] = []
    for (const change of outcome.orders) {
      const record = this.#changeOrder(change, at)
      noteRecord(records, record)
      if (!isOpen(record.state)) ended.push(record)
    }
    this.groups.assertPools(outcome)
    for (const change of outcome.markets) this.#changeMarket(change)
    for (const { code, ...progress } of outcome.groups) this.groups.get(code).progress = progress
    const transfers = result.transfers.map(transfer => this.#transferRow(transfer, at))
    this.fresh.add(sequence, commands, ended, transfers)
    return { publications: publish(this, outcome.events, records, at), transfers }
  }

  /** Returns a transfer as the tables will have it. */
  #transferRow({ changedLater, ...transfer }: CommittedTransfer, at: TimeMs): TransferRow {
    const { cash } = this.ledger.balance(transfer.account)
    return { ...transfer, cash: amount(cash - changedLater), at }
  }

  #edit({ market: code, terms, listing, refusal }: EditOutcome): void {
    const market = this.market(code)
    const before = market.listing
    market.edited(refusal === undefined ? { terms, listing } : NOTHING_EDITED, refusal)
    this.markets.relist(before, market)
  }

  #changeMarket(change: MarketChange): void {
    const market = this.market(change.code)
    this.markets.change(market, change, this.ledger.holders(change.code))
    if (keepsOrders(change.status) || market.openOrders.size > 0) return
    market.ladder.release()
    market.expiring.release()
  }

  #changeOrder(change: OrderChange, at: TimeMs): OrderRecord {
    const market = this.market(change.market)
    const arriving = market.arriving.get(change.number)
    const record = arriving ?? market.openOrders.get(change.number)
    assert(record !== undefined, 'a changed order is open or arriving')
    applyChange(record, change, at)
    if (!isOpen(record.state)) this.quoteSets.delete(record)
    if (arriving !== undefined) {
      record.createdAt = at
      market.arriving.delete(change.number)
      this.ownOrders.land(record)
      if (isOpen(record.state)) this.#keep(market, record)
    } else if (!isOpen(record.state)) {
      market.openOrders.delete(change.number)
      market.expiring.end(record)
      this.ownOrders.delete(record)
    }
    return record
  }

  /** Returns the id of the user whose orders are of an account; undefined if it is no user's. */
  ownerOf(account: AccountNumber): string | undefined {
    return this.house.owns(account) ? HOUSE_USER_ID : this.users.idOf(account)
  }

  /** Restores an order that rested when the exchange stopped. */
  restore(market: DeskMarket, order: OrderRecord): void {
    market.restore(order)
    this.ownOrders.restore(order)
    this.quoteSets.add(order)
  }

  /**
   * Takes note of a queued order; its batch decides it.
   *
   * @param replaced the number of the open order whose place it takes, unless it is refused
   */
  arrive(market: DeskMarket, order: OrderRecord, replaced?: OrderNumber): void {
    this.arriveQuote(market, order, replaced !== undefined)
    if (replaced !== undefined) market.replaceAhead(replaced, order)
  }

  /** Takes note of a queued quote. @param takesPlace whether an order that counts as open ends for it */
  arriveQuote(market: DeskMarket, order: OrderRecord, takesPlace: boolean): void {
    this.forgetting.recall(market.terms.code)
    market.arriving.set(order.number, order)
    this.ownOrders.arrive(order, takesPlace)
    this.quoteSets.add(order)
  }

  #keep(market: DeskMarket, order: OrderRecord): void {
    market.keep(order)
    this.ownOrders.add(order)
  }
}
