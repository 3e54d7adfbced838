import type { MarketCode, OrderNumber } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** A known batch: its fingerprint, and its orders by index. */
export interface KnownBatch {
  readonly fingerprint: string
  readonly orders: readonly (readonly [index: number, market: MarketCode, number: OrderNumber])[]
}

type Row = [fingerprint: string, index: number, market: MarketCode | null, number: OrderNumber | null]

/** The index of the row for the batch itself. */
export const WHOLE_BATCH = -1

/**
 * The table of batch keys, kept for ever: one row for a batch and one for each of its orders. Each has the
 * fingerprint of the whole batch, because a crash may leave any of them.
 */
export class BatchKeyRows {
  readonly #select: Statement<Row>

  constructor(database: Database) {
    this.#select = database
      .prepare<unknown[], Row>(
        'SELECT fingerprint, place, market, number FROM batch_keys WHERE name = ? ORDER BY place',
      )
      .raw()
  }

  find(name: string): KnownBatch | undefined {
    const rows = this.#select.all(name)
    const [first] = rows
    if (first === undefined) return undefined
    const orders = rows.flatMap(([, index, market, number]) =>
      market === null || number === null ? [] : [[index, market, number] as const],
    )
    return { fingerprint: first[0], orders }
  }
}
