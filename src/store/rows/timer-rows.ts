import type { LastOrder, OrderTimer } from '../../core/order-timer.js'
import type { AccountNumber, MarketCode, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

type Row = [account: AccountNumber, endsAt: TimeMs | null, markets: string | null, fired: string]

/** The table of the users' timers. */
export class TimerRows {
  readonly #select: Statement<Row>
  readonly #selectAll: Statement<Row>

  constructor(database: Database) {
    const sql = 'SELECT account, ends_at, markets, fired FROM timers'
    this.#select = database.prepare<unknown[], Row>(`${sql} WHERE account = ?`).raw()
    this.#selectAll = database.prepare<unknown[], Row>(`${sql} ORDER BY account`).raw()
  }

  find(account: AccountNumber): OrderTimer | undefined {
    const row = this.#select.get(account)
    return row === undefined ? undefined : timerOf(row)
  }

  /** Returns all timers by account. */
  all(): (readonly [AccountNumber, OrderTimer])[] {
    return this.#selectAll.all().map(row => [row[0], timerOf(row)])
  }
}

function timerOf([, endsAt, markets, fired]: Row): OrderTimer {
  return {
    endsAt: endsAt ?? undefined,
    markets: markets === null ? undefined : (JSON.parse(markets) as MarketCode[]),
    fired: JSON.parse(fired) as LastOrder[],
  }
}
