import type { Outcome } from '../../core/market.js'
import type { Performance } from '../../core/records/performance-record.js'
import type { ValuedPosition } from '../../core/records/position-record.js'
import type { EntryPlace, EntryRow, SettlementRow } from '../../core/records/statement-record.js'
import type { FillRow, TradeRow } from '../../core/records/trade-record.js'
import type { UserMessage } from '../../core/records/user-message.js'
import type { AccountNumber, MarketCode, TimeMs } from '../../core/units.js'
import type { MoneyAudit } from '../../store/audit/money-audit.js'
import { auditMoney } from '../../store/audit/money-audit.js'
import type { GroupSettlementPreview } from '../../store/audit/group-settlement-preview.js'
import { GroupSettlementPreviews } from '../../store/audit/group-settlement-preview.js'
import type { SettlementPreview } from '../../store/audit/settlement-preview.js'
import { SettlementPreviews } from '../../store/audit/settlement-preview.js'
import type { Database } from '../../store/database.js'
import type { ActionFilter, ActionPage } from '../../store/operator/action-rows.js'
import { ActionRows } from '../../store/operator/action-rows.js'
import type { TradedCandles } from '../../store/rows/candle-rows.js'
import { CandleRows } from '../../store/rows/candle-rows.js'
import type { NamedConversion } from '../../store/rows/conversion-rows.js'
import { ConversionRows } from '../../store/rows/conversion-rows.js'
import type { EntryPage } from '../../store/rows/entry-rows.js'
import { EntryRows } from '../../store/rows/entry-rows.js'
import type { FeeDayPlace, FeeDayRow } from '../../store/rows/fee-day-rows.js'
import { FeeDayRows } from '../../store/rows/fee-day-rows.js'
import { FillRows } from '../../store/rows/fill-rows.js'
import type { SearchFrom } from '../../store/rows/market-words.js'
import { MarketWords } from '../../store/rows/market-words.js'
import type { OrderFilter, OrderPage, OrderPlace } from '../../store/rows/order-rows.js'
import { OrderRows } from '../../store/rows/order-rows.js'
import type { SettlementFilter, SettlementPlace } from '../../store/rows/settlement-rows.js'
import { SettlementRows } from '../../store/rows/settlement-rows.js'
import type { TimeRange } from '../../store/rows/time-range.js'
import { TradeRows } from '../../store/rows/trade-rows.js'
import type { UserFilter, UserPlace, UserRow } from '../../store/operator/user-rows.js'
import { UserRows } from '../../store/operator/user-rows.js'
import { MessageReader } from './message-reader.js'
import { Performances } from './performances.js'
import type { Listed, PeopleCount, PersonSums, RankedPerson, SeasonPlace } from './people-figures.js'
import type { Ranking } from './people-order.js'
import { PeopleFigures } from './people-figures.js'
import type { Period } from './people-tallies.js'
import { ValuedPositions } from './valued-positions.js'

/** Reads history from disk. Each public method is a query that other threads can call by name. */
export class HistoryReader {
  readonly #database: Database
  readonly #users: UserRows
  readonly #orders: OrderRows
  readonly #entries: EntryRows
  readonly #settlements: SettlementRows
  readonly #conversions: ConversionRows
  readonly #trades: TradeRows
  readonly #candles: CandleRows
  readonly #fills: FillRows
  readonly #positions: ValuedPositions
  readonly #performances: Performances
  readonly #words: MarketWords
  readonly #messages: MessageReader
  readonly #actions: ActionRows
  readonly #previews: SettlementPreviews
  readonly #groupPreviews: GroupSettlementPreviews
  readonly #people: PeopleFigures
  readonly #feeDays: FeeDayRows

  constructor(database: Database) {
    this.#database = database
    this.#orders = new OrderRows(database)
    this.#entries = new EntryRows(database)
    this.#settlements = new SettlementRows(database)
    this.#conversions = new ConversionRows(database)
    this.#trades = new TradeRows(database)
    this.#candles = new CandleRows(database)
    this.#fills = new FillRows(database)
    this.#positions = new ValuedPositions(database)
    this.#performances = new Performances(database)
    this.#words = new MarketWords(database)
    this.#messages = new MessageReader(database)
    this.#actions = new ActionRows(database)
    this.#previews = new SettlementPreviews(database)
    this.#groupPreviews = new GroupSettlementPreviews(database)
    const people = new PeopleFigures(database)
    this.#people = people
    this.#users = new UserRows(database, (figure, account) => people.figureOf(figure, account))
    this.#feeDays = new FeeDayRows(database)
  }

  /** Returns a page of a user's orders after the given one, newest first. */
  orders(
    account: AccountNumber,
    filter: OrderFilter,
    before: OrderPlace | undefined,
    lengthMax: number,
  ): OrderPage {
    return this.#orders.page(account, filter, before, lengthMax)
  }

  /** Searches market titles by word prefixes. */
  search(text: string, from: SearchFrom, lengthMax: number): MarketCode[] {
    return this.#words.search(text, from, lengthMax)
  }

  /** Returns a page of a market's trades before the given number, newest first. */
  trades(market: MarketCode, range: TimeRange, before: number | undefined, lengthMax: number): TradeRow[] {
    return this.#trades.page(market, range, before, lengthMax)
  }

  /** Returns a page of a user's statement after the given line, newest first. */
  statement(
    account: AccountNumber,
    range: TimeRange,
    before: EntryPlace | undefined,
    lengthMax: number,
  ): EntryPage<EntryRow> {
    return this.#entries.page(account, range, before, lengthMax)
  }

  /** Returns the trades per interval in [from, to); undefined above the limit. */
  candles(market: MarketCode, from: TimeMs, to: TimeMs, intervalMs: number): TradedCandles | undefined {
    return this.#candles.read(market, from, to, intervalMs)
  }

  /** Returns a page of a user's fills after the given statement line, newest first. */
  fills(
    account: AccountNumber,
    range: TimeRange,
    before: EntryPlace | undefined,
    lengthMax: number,
  ): EntryPage<FillRow> {
    return this.#fills.page(account, range, before, lengthMax)
  }

  /** Returns a user's positions in the given markets, with their cost. */
  positions(account: AccountNumber, markets: readonly MarketCode[]): ValuedPosition[] {
    return this.#positions.read(account, markets)
  }

  /** Returns how a user's portfolio did in a range of time. */
  performance(
    account: AccountNumber,
    markets: readonly MarketCode[],
    range: TimeRange & { readonly to: TimeMs },
    pointsMax: number,
  ): Performance {
    return this.#performances.read(account, markets, range, pointsMax)
  }

  /** Returns a page of users after a place. */
  users(filter: UserFilter, after: UserPlace | undefined, lengthMax: number): UserRow[] {
    return this.#users.page(filter, after, lengthMax)
  }

  /** Finds the conversion that a user made under a name. */
  conversionNamed(account: AccountNumber, name: string): NamedConversion | undefined {
    return this.#conversions.named(account, name)
  }

  /** Returns a page of a user's settlements before the given one, newest first. */
  settlements(
    account: AccountNumber,
    filter: SettlementFilter,
    before: SettlementPlace | undefined,
    lengthMax: number,
  ): SettlementRow[] {
    return this.#settlements.page(account, filter, before, lengthMax)
  }

  /** Returns the next messages of a user's private channel after one number, up to another. */
  userMessages(account: AccountNumber, after: number, upTo: number): UserMessage[] {
    return this.#messages.after(account, after, upTo)
  }

  /** Previews a market's settlement, user by user after one. */
  settlementPreview(
    market: MarketCode,
    outcome: Outcome,
    after: AccountNumber | undefined,
    lengthMax: number,
  ): SettlementPreview {
    return this.#previews.read(market, outcome, after, lengthMax)
  }

  /** Previews the result of an exclusive group, user by user after one; no winner means a void. */
  groupSettlementPreview(
    group: MarketCode,
    winner: MarketCode | undefined,
    after: AccountNumber | undefined,
    lengthMax: number,
  ): GroupSettlementPreview {
    return this.#groupPreviews.read(group, winner, after, lengthMax)
  }

  /** Returns a page of the audit log after the given line, newest first. */
  adminActions(filter: ActionFilter, before: EntryPlace | undefined, lengthMax: number): ActionPage {
    return this.#actions.page(filter, before, lengthMax)
  }

  /** Counts figures of people over the next lines of all statements. */
  countPeople(now: TimeMs, lengthMax: number): PeopleCount {
    return this.#people.advance(now, lengthMax)
  }

  /** Returns the best users by a figure, as far as it has been counted. */
  ranking(by: Ranking, period: Period, now: TimeMs, listed: Listed, lengthMax: number): RankedPerson[] {
    return this.#people.ranking(by, period, now, listed, lengthMax)
  }

  /** Returns one user's place on a board that was read before. */
  rankOf(by: Ranking, period: Period, now: TimeMs, account: AccountNumber): RankedPerson | undefined {
    return this.#people.rankOf(by, period, now, account)
  }

  /** Returns one user's places in the last seasons. */
  seasonPlaces(account: AccountNumber, listed: Listed): SeasonPlace[] {
    return this.#people.places(account, listed)
  }

  /** Returns figures of all time of some users, as far as they have been counted. */
  peopleSums(accounts: readonly AccountNumber[], now: TimeMs): PersonSums[] {
    return this.#people.sums(accounts, now)
  }

  /** Returns one user's figures, as far as they have been counted. */
  personFigures(account: AccountNumber, now: TimeMs) {
    return this.#people.of(account, now)
  }

  /** Returns a page of the fees by day and market, the latest first. */
  fees(range: TimeRange, before: FeeDayPlace | undefined, lengthMax: number): FeeDayRow[] {
    return this.#feeDays.page(range, before, lengthMax)
  }

  /** Checks the money invariants as of the last committed batch. */
  auditMoney(): MoneyAudit {
    return auditMoney(this.#database)
  }
}

export type Question = keyof HistoryReader
export type About<Q extends Question> = Parameters<HistoryReader[Q]>
export type Answer<Q extends Question> = ReturnType<HistoryReader[Q]>

/** Calls a method of the reader by name. */
export function answer<Q extends Question>(reader: HistoryReader, question: Q, about: About<Q>): Answer<Q> {
  const read = reader[question] as (...about: About<Q>) => Answer<Q>
  return read.apply(reader, about)
}
