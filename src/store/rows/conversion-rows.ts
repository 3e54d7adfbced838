import type { ConversionDirection } from '../../core/group-command.js'
import type { AccountNumber, MarketCode, QuantityLots } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** A conversion that its user gave a name, and a fingerprint of the request. */
export interface NamedConversion {
  readonly number: number
  readonly cash: number
  readonly fingerprint: string
}

/** A conversion that was made. */
export interface ConversionRow {
  readonly direction: ConversionDirection
  readonly lots: QuantityLots
  readonly markets: readonly MarketCode[]
  readonly others: readonly MarketCode[]
}

interface StoredConversion extends Pick<ConversionRow, 'direction' | 'lots'> {
  readonly markets: string
  readonly others: string
}

/** The table of conversions. */
export class ConversionRows {
  readonly #selectNamed: Statement<NamedConversion>
  readonly #selectOne: Statement<StoredConversion>

  constructor(database: Database) {
    this.#selectNamed = database.prepare(
      'SELECT number, cash, fingerprint FROM conversions WHERE account = ? AND client_key = ?',
    )
    this.#selectOne = database.prepare(
      'SELECT direction, lots, markets, others FROM conversions WHERE group_code = ? AND number = ?',
    )
  }

  named(account: AccountNumber, name: string): NamedConversion | undefined {
    return this.#selectNamed.get(account, name)
  }

  find(group: MarketCode, number: number): ConversionRow | undefined {
    const row = this.#selectOne.get(group, number)
    if (row === undefined) return undefined
    const { direction, lots } = row
    return { direction, lots, markets: JSON.parse(row.markets), others: JSON.parse(row.others) }
  }
}
