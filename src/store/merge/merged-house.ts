import type { Command } from '../../core/command.js'
import type { AccountNumber, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { RowBuffer } from './row-buffer.js'

/** The house quotes that batches fund, stop or pay back. */
export class MergedHouse {
  readonly #rows: RowBuffer
  readonly #stop: Statement
  readonly #return: Statement
  readonly #selectAccount: Statement<AccountNumber>
  readonly #funded = new Set<AccountNumber>()
  #stops: (readonly [TimeMs, AccountNumber])[] = []
  #returns: (readonly [number, AccountNumber])[] = []

  constructor(database: Database) {
    this.#rows = new RowBuffer(database, 'house_quotes', { width: 11 })
    this.#stop = database.prepare(
      'UPDATE house_quotes SET stopped_at = ifnull(stopped_at, ?) WHERE account = ?',
    )
    this.#return = database.prepare('UPDATE house_quotes SET returned = returned + ? WHERE account = ?')
    this.#selectAccount = database
      .prepare<unknown[], AccountNumber>('SELECT account FROM house_quotes WHERE account = ?')
      .pluck()
  }

  /** Returns true if an account is the house's. */
  has(account: AccountNumber): boolean {
    return this.#funded.has(account) || this.#selectAccount.get(account) !== undefined
  }

  /** Collects a command on house quotes; ignores others. */
  take(command: Command, at: TimeMs): void {
    if (command.type === 'FUND_QUOTES') {
      const { account, market, round, budget, table } = command
      const { low, step, start, lots } = table
      this.#funded.add(account)
      this.#rows.add(
        ...[account, market, round, budget, low, step, start, JSON.stringify(lots)],
        ...[at, null, 0],
      )
    } else if (command.type === 'STOP_QUOTES') this.#stops.push([at, command.account])
    else if (command.type === 'RETURN_HOUSE_MONEY') this.#returns.push([command.amount, command.account])
  }

  /** Writes everything collected, within the caller's transaction. */
  flush(): void {
    this.#rows.flush()
    for (const [at, account] of this.#stops) this.#stop.run(at, account)
    for (const [amount, account] of this.#returns) this.#return.run(amount, account)
    this.#funded.clear()
    this.#stops = []
    this.#returns = []
  }
}
