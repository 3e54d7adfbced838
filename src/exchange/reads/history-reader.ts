import type { Outcome } from '../../core/market.js'
import type { ValuedPosition } from '../../core/records/position-record.js'
import type { EntryPlace, EntryRow, SettlementRow } from '../../core/records/statement-record.js'
import type { FillRow, TradeRow } from '../../core/records/trade-record.js'
import type { UserMessage } from '../../core/records/user-message.js'
import type { AccountNumber, MarketCode, TimeMs } from '../../core/units.js'
import type { MoneyAudit } from '../../store/audit/money-audit.js'
import { auditMoney } from '../../store/audit/money-audit.js'
import type { SettlementPreview } from '../../store/audit/settlement-preview.js'
import { SettlementPreviews } from '../../store/audit/settlement-preview.js'
import type { Database } from '../../store/database.js'
import type { UserRow } from '../../store/rows/account-rows.js'
import { AccountRows } from '../../store/rows/account-rows.js'
import type { ActionRow } from '../../store/rows/action-rows.js'
import { ActionRows } from '../../store/rows/action-rows.js'
import type { TradedCandles } from '../../store/rows/candle-rows.js'
import { CandleRows } from '../../store/rows/candle-rows.js'
import type { EntryPage } from '../../store/rows/entry-rows.js'
import { EntryRows } from '../../store/rows/entry-rows.js'
import { FillRows } from '../../store/rows/fill-rows.js'
import { MarketWords } from '../../store/rows/market-words.js'
import type { OrderFilter, OrderPage, OrderPlace } from '../../store/rows/order-rows.js'
import { OrderRows } from '../../store/rows/order-rows.js'
import { SettlementRows } from '../../store/rows/settlement-rows.js'
import type { TimeRange } from '../../store/rows/time-range.js'
import { TradeRows } from '../../store/rows/trade-rows.js'
import { UserMessages } from './user-messages.js'
import { ValuedPositions } from './valued-positions.js'

/** What is no longer in memory, read from disk. Each public method is a question that history answers. */
export class HistoryReader {
  readonly #database: Database
  readonly #accounts: AccountRows
  readonly #orders: OrderRows
  readonly #entries: EntryRows
  readonly #settlements: SettlementRows
  readonly #trades: TradeRows
  readonly #candles: CandleRows
  readonly #fills: FillRows
  readonly #positions: ValuedPositions
  readonly #words: MarketWords
  readonly #messages: UserMessages
  readonly #actions: ActionRows
  readonly #previews: SettlementPreviews

  constructor(database: Database) {
    this.#database = database
    this.#accounts = new AccountRows(database)
    this.#orders = new OrderRows(database)
    this.#entries = new EntryRows(database)
    this.#settlements = new SettlementRows(database)
    this.#trades = new TradeRows(database)
    this.#candles = new CandleRows(database)
    this.#fills = new FillRows(database)
    this.#positions = new ValuedPositions(database)
    this.#words = new MarketWords(database)
    this.#messages = new UserMessages(database)
    this.#actions = new ActionRows(database)
    this.#previews = new SettlementPreviews(database)
  }

  /** A page of a user's orders, newest first, from behind the given one. */
  orders(
    account: AccountNumber,
    filter: OrderFilter,
    before: OrderPlace | undefined,
    lengthMax: number,
  ): OrderPage {
    return this.#orders.page(account, filter, before, lengthMax)
  }

  /** The markets whose titles have all the words of a text, or words that begin so; by code, behind one. */
  search(text: string, after: number, lengthMax: number): MarketCode[] {
    return this.#words.search(text, after, lengthMax)
  }

  /** A page of a market's trades, newest first, from before the given number. */
  trades(market: MarketCode, range: TimeRange, before: number | undefined, lengthMax: number): TradeRow[] {
    return this.#trades.page(market, range, before, lengthMax)
  }

  /** A page of a user's statement, newest first, from behind the given line. */
  statement(
    account: AccountNumber,
    range: TimeRange,
    before: EntryPlace | undefined,
    lengthMax: number,
  ): EntryPage<EntryRow> {
    return this.#entries.page(account, range, before, lengthMax)
  }

  /** What was traded from one beginning of an interval to before another, where it was not too much. */
  candles(market: MarketCode, from: TimeMs, to: TimeMs, intervalMs: number): TradedCandles | undefined {
    return this.#candles.read(market, from, to, intervalMs)
  }

  /** A page of a user's fills, newest first, from behind the given line of their statement. */
  fills(
    account: AccountNumber,
    range: TimeRange,
    before: EntryPlace | undefined,
    lengthMax: number,
  ): EntryPage<FillRow> {
    return this.#fills.page(account, range, before, lengthMax)
  }

  /** What a user holds in the given markets, and what it cost. */
  positions(account: AccountNumber, markets: readonly MarketCode[]): ValuedPosition[] {
    return this.#positions.read(account, markets)
  }

  /** A page of all users' accounts, the oldest first, from behind the given one. */
  users(after: number, lengthMax: number): UserRow[] {
    return this.#accounts.users(after, lengthMax)
  }

  settlements(account: AccountNumber, before: MarketCode | undefined, lengthMax: number): SettlementRow[] {
    return this.#settlements.page(account, before, lengthMax)
  }

  /** The next messages of a user's private channel after one number, up to another. */
  userMessages(account: AccountNumber, after: number, upTo: number): UserMessage[] {
    return this.#messages.after(account, after, upTo)
  }

  /** What a market's settlement would come to, user by user from behind one. */
  settlementPreview(
    market: MarketCode,
    outcome: Outcome,
    after: AccountNumber | undefined,
    lengthMax: number,
  ): SettlementPreview {
    return this.#previews.read(market, outcome, after, lengthMax)
  }

  /** A page of what operators did, newest first, from behind the given line. */
  adminActions(before: EntryPlace | undefined, lengthMax: number): ActionRow[] {
    return this.#actions.page(before, lengthMax)
  }

  /** Whether the money of all accounts adds up, at the moment of the last batch on disk. */
  auditMoney(): MoneyAudit {
    return auditMoney(this.#database)
  }
}

export type Question = keyof HistoryReader
export type About<Q extends Question> = Parameters<HistoryReader[Q]>
export type Answer<Q extends Question> = ReturnType<HistoryReader[Q]>

/** Asks the reader by name. */
export function answer<Q extends Question>(reader: HistoryReader, question: Q, about: About<Q>): Answer<Q> {
  const read = reader[question] as (...about: About<Q>) => Answer<Q>
  return read.apply(reader, about)
}
