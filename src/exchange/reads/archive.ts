import type { Contracts } from '../../core/ledger.js'
import { FEES } from '../../core/ledger.js'
import type { Outcome } from '../../core/market.js'
import { canMove } from '../../core/market.js'
import { isOpen } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { Performance } from '../../core/records/performance-record.js'
import type { ValuedPosition } from '../../core/records/position-record.js'
import type { EntryPlace, EntryRow, SettlementRow } from '../../core/records/statement-record.js'
import type { CandleRange, CandleRow, FillRow, TradeRow } from '../../core/records/trade-record.js'
import type { AccountNumber, Amount, MarketCode, Sequence, TimeMs } from '../../core/units.js'
import type { MoneyAudit } from '../../store/audit/money-audit.js'
import type { GroupSettlementPreview } from '../../store/audit/group-settlement-preview.js'
import type { SettlementPreview } from '../../store/audit/settlement-preview.js'
import type { ActionFilter, ActionPage } from '../../store/operator/action-rows.js'
import type { EntryPage } from '../../store/rows/entry-rows.js'
import type { FeeDayPlace, FeeDayRow } from '../../store/rows/fee-day-rows.js'
import type { OrderFilter, OrderPage, OrderPlace } from '../../store/rows/order-rows.js'
import type { SearchFrom } from '../../store/rows/market-words.js'
import type { SettlementFilter, SettlementPlace } from '../../store/rows/settlement-rows.js'
import type { TimeRange } from '../../store/rows/time-range.js'
import { boundsOf } from '../../store/rows/time-range.js'
import type { UserFilter, UserPlace, UserRow } from '../../store/operator/user-rows.js'
import type { Desk } from '../desk.js'
import type { DeskGroup, GroupResult } from '../groups/desk-group.js'
import type { ResultRefusal } from '../groups/group-results.js'
import { resultRefusalOf } from '../groups/group-results.js'
import type { Activity } from '../markets/activity.js'
import type { DeskMarket } from '../markets/desk-market.js'
import type { MoveRefusal } from '../markets/market-life.js'
import type { Sources } from '../sources.js'
import { fillGaps, spanOf } from './candles.js'
import type { History } from './history.js'
import { Leaderboard } from './leaderboard.js'
import type { ReadBusy } from './read-lane.js'

/** The most events that one page of a list looks at, listed or not. */
export const EVENTS_LOOKED_AT_MAX = 10_000

interface FoundMarkets {
  readonly codes: readonly MarketCode[]
  readonly searchedTo: MarketCode | undefined
}

interface PositionPage {
  readonly rows: readonly ValuedPosition[]
  readonly searchedTo: MarketCode | undefined
}

/**
 * Reads of committed history from disk, and of open orders from memory. Results for an unknown user are
 * undefined; `ReadBusy` means that the disk was not read. Each page starts after the place where the previous
 * one ended; places do not move when rows are added, so no row is skipped or repeated.
 */
export class Archive {
  /** The latest trades of people, to be read only. */
  readonly activity: Activity
  /** Figures of people. */
  readonly people: Leaderboard
  readonly #desk: Desk
  readonly #history: History
  readonly #sources: Pick<Sources, 'now'>

  constructor(desk: Desk, history: History, sources: Pick<Sources, 'now'>) {
    this.activity = desk.activity
    this.#desk = desk
    this.#history = history
    this.#sources = sources
    this.people = new Leaderboard(desk, history, sources)
  }

  /** Checks the money invariants from the tables alone, in one snapshot. */
  verifyLedger(): Promise<MoneyAudit | ReadBusy> {
    return this.#history.ask('auditMoney')
  }

  /** Copies the database through an open connection; returns the last batch in the copy. */
  rescueTo(file: string): Promise<Sequence> {
    return this.#history.rescueTo(file)
  }

  /**
   * Returns whether the next read from disk would find no room, before anything else is done for it.
   *
   * @param ahead the reads that come before it and have not begun
   */
  turnsAway(ahead: number): boolean {
    return this.#history.turnsPageAway(ahead)
  }

  /**
   * Returns the codes of markets whose titles have all words of a text, or words that begin so: by code from
   * behind one, or the newest. A bounded number: `searchedTo` is the last if there may be more.
   */
  async search(text: string, from: SearchFrom): Promise<FoundMarkets | ReadBusy> {
    const codes = await this.#history.ask('search', text, from, EVENTS_LOOKED_AT_MAX)
    if (typeof codes === 'string') return codes
    return {
      // One that the disk has just got is not known yet here.
      codes: codes.filter(code => this.#desk.markets.has(code)),
      searchedTo: codes.length < EVENTS_LOOKED_AT_MAX ? undefined : codes.at(-1),
    }
  }

  /** Returns a market's trades before the given number, newest first. */
  trades(
    market: MarketCode,
    range: TimeRange,
    before: number | undefined,
    lengthMax: number,
  ): Promise<TradeRow[] | ReadBusy> {
    return this.#history.ask('trades', market, range, before, lengthMax)
  }

  /** Returns a market's candles, oldest first, from its first trade on; or the limit that was exceeded. */
  async candles(
    market: MarketCode,
    range: CandleRange,
  ): Promise<CandleRow[] | 'candles_too_many' | 'trades_too_many' | ReadBusy> {
    const { intervalMs } = range
    const span = spanOf(range, this.#sources.now())
    if (span === 'candles_too_many') return span
    const traded = await this.#history.ask('candles', market, span.first, span.end, intervalMs)
    if (typeof traded === 'string') return traded
    return traded === undefined ? 'trades_too_many' : fillGaps(traded, span, intervalMs)
  }

  /**
   * Returns a user's orders, newest first. Reads open orders from memory, because they are few among many.
   */
  async orders(
    userId: string,
    filter: OrderFilter,
    before: OrderPlace | undefined,
    lengthMax: number,
  ): Promise<OrderPage | undefined | ReadBusy> {
    const account = this.#desk.users.accountOf(userId)
    if (account === undefined) return undefined
    if (filter.state === undefined || !isOpen(filter.state)) {
      return this.#history.ask('orders', account, filter, before, lengthMax)
    }
    const { market, state, ...range } = filter
    const { from, to } = boundsOf(range)
    const fits = (order: OrderRecord) =>
      order.state === state &&
      (market === undefined || order.market === market) &&
      order.createdAt >= from &&
      order.createdAt < to
    return { rows: this.#desk.ownOrders.newest(account, lengthMax, before, fits), searchedTo: undefined }
  }

  /** Returns the user id that a client means, and whether it has an account. */
  userNamed(text: string): { readonly userId: string; readonly isKnown: boolean } {
    const userId = this.#desk.users.named(text)
    return { userId, isKnown: this.#desk.users.accountOf(userId) !== undefined }
  }

  /** Returns the user ids that fold to a name; see `foldedName`. */
  usersLike(folded: string): readonly string[] {
    return this.#desk.users.likeFolded(folded)
  }

  /** Returns the contracts that a user holds in a market now. */
  contracts(userId: string, market: MarketCode): Contracts | undefined {
    const account = this.#desk.users.accountOf(userId)
    return account && this.#desk.ledger.contracts(market, account)
  }

  /** Returns a page of users after a place. */
  users(filter: UserFilter, after: UserPlace | undefined, lengthMax: number): Promise<UserRow[] | ReadBusy> {
    return this.#history.ask('users', filter, after, lengthMax)
  }

  /** Returns a user's statement, newest first. */
  async statement(
    userId: string,
    range: TimeRange,
    before: EntryPlace | undefined,
    lengthMax: number,
  ): Promise<EntryPage<EntryRow> | undefined | ReadBusy> {
    const account = this.#desk.users.accountOf(userId)
    return account && this.#history.ask('statement', account, range, before, lengthMax)
  }

  /** Returns a user's fills after a line of their statement, newest first. */
  async fills(
    userId: string,
    range: TimeRange,
    before: EntryPlace | undefined,
    lengthMax: number,
  ): Promise<EntryPage<FillRow> | undefined | ReadBusy> {
    const account = this.#desk.users.accountOf(userId)
    return account && this.#history.ask('fills', account, range, before, lengthMax)
  }

  /**
   * Returns a user's positions with their cost, by market, from behind one; from disk, because the cost
   * depends on old fills. `searchedTo` is the last market looked at if there are more.
   */
  async positions(
    userId: string,
    after: MarketCode | undefined,
    lengthMax: number,
  ): Promise<PositionPage | undefined | ReadBusy> {
    const account = this.#desk.users.accountOf(userId)
    if (account === undefined) return undefined
    const held = this.#desk.ledger.marketsOf(account).filter(code => code > (after ?? 0))
    const markets = held.slice(0, lengthMax)
    const searchedTo = held.length > lengthMax ? markets.at(-1) : undefined
    const rows = markets.length === 0 ? [] : await this.#history.ask('positions', account, markets)
    return typeof rows === 'string' ? rows : { rows, searchedTo }
  }

  /** Returns how a user's portfolio did in a range, up to now by default, at a number of moments in it. */
  async performance(
    userId: string,
    { from, to }: TimeRange,
    pointsMax: number,
  ): Promise<Performance | undefined | ReadBusy> {
    const account = this.#desk.users.accountOf(userId)
    if (account === undefined) return undefined
    const markets = this.#desk.ledger.marketsOf(account)
    // A moment later, so that what happens now is included.
    const now = (this.#sources.now() + 1) as TimeMs
    const range = { from, to: to === undefined || to > now ? now : to }
    return this.#history.ask('performance', account, [...markets], range, pointsMax)
  }

  /** Returns the payouts of a user's settled markets, newest first. */
  async settlements(
    userId: string,
    filter: SettlementFilter,
    before: SettlementPlace | undefined,
    lengthMax: number,
  ): Promise<SettlementRow[] | undefined | ReadBusy> {
    const account = this.#desk.users.accountOf(userId)
    return account && this.#history.ask('settlements', account, filter, before, lengthMax)
  }

  /**
   * Previews a settlement, user by user after an account; or returns the market's status if it rules out the
   * outcome.
   */
  async settlementPreview(
    market: DeskMarket,
    outcome: Outcome,
    after: AccountNumber | undefined,
    lengthMax: number,
  ): Promise<SettlementPreview | MoveRefusal | ReadBusy> {
    const { pendingStatus: status, pendingOutcome, terms } = market
    if (pendingOutcome !== undefined || !canMove(status, outcome === 'void' ? 'voided' : 'resolved')) {
      return { status, outcome: pendingOutcome }
    }
    return this.#history.ask('settlementPreview', terms.code, outcome, after, lengthMax)
  }

  /** Previews the result of an exclusive group, as `settlementPreview` does; or says what rules it out. */
  async groupSettlementPreview(
    group: DeskGroup,
    result: GroupResult,
    after: AccountNumber | undefined,
    lengthMax: number,
  ): Promise<GroupSettlementPreview | ResultRefusal | ReadBusy> {
    const refusal = resultRefusalOf(group, result)
    if (refusal !== undefined) return refusal
    const winner = result === 'void' ? undefined : result.terms.code
    return this.#history.ask('groupSettlementPreview', group.terms.code, winner, after, lengthMax)
  }

  /** Returns a page of the fees by day and event, the latest first. */
  feeDays(
    range: TimeRange,
    before: FeeDayPlace | undefined,
    lengthMax: number,
  ): Promise<FeeDayRow[] | ReadBusy> {
    return this.#history.ask('fees', range, before, lengthMax)
  }

  /** The fees of all settled events. */
  get feesCollected(): Amount {
    return this.#desk.ledger.balance(FEES).cash
  }

  /** Returns the audit log, newest first. */
  adminActions(
    filter: ActionFilter,
    before: EntryPlace | undefined,
    lengthMax: number,
  ): Promise<ActionPage | ReadBusy> {
    return this.#history.ask('adminActions', filter, before, lengthMax)
  }
}
