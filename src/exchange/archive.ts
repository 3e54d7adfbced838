import type { MarketCode } from '../core/units.js'
import type { History } from '../shard/history.js'
import type { EntryPlace, EntryRow } from '../store/entry-rows.js'
import type { SettlementRow } from '../store/settlement-rows.js'
import type { TradeRow } from '../store/trade-rows.js'
import type { Desk } from './desk.js'

/**
 * What was, read from disk: so all of it is committed. What belongs to a user is undefined where the user is
 * not known. Lists are read from behind a place, which the page before ended at; places do not move when new
 * rows come, so that no row is skipped or met twice.
 */
export class Archive {
  readonly #desk: Desk
  readonly #history: History

  constructor(desk: Desk, history: History) {
    this.#desk = desk
    this.#history = history
  }

  /** A market's trades, newest first, from before the trade with the given number. */
  trades(market: MarketCode, before: number | undefined, lengthMax: number): Promise<TradeRow[]> {
    return this.#history.ask('trades', market, before, lengthMax)
  }

  /** Why a user's cash is what it is, newest first. */
  async statement(
    userId: string,
    before: EntryPlace | undefined,
    lengthMax: number,
  ): Promise<EntryRow[] | undefined> {
    const account = this.#desk.users.accountOf(userId)
    return account && this.#history.ask('statement', account, before, lengthMax)
  }

  /** How a user's markets ended, the newest market first. */
  async settlements(
    userId: string,
    before: MarketCode | undefined,
    lengthMax: number,
  ): Promise<SettlementRow[] | undefined> {
    const account = this.#desk.users.accountOf(userId)
    return account && this.#history.ask('settlements', account, before, lengthMax)
  }
}
