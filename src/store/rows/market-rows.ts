import type { MarketListing, MarketProgress, MarketStatus, MarketTerms, Outcome } from '../../core/market.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber, Amount, MarketCode, PriceTicks, QuantityLots, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { jsonPages } from './json-pages.js'
import { IS_OPEN } from './open-order-rows.js'

/** A market as stored. */
export interface StoredMarket {
  readonly terms: MarketTerms
  readonly listing: MarketListing
  readonly progress: MarketProgress
  readonly resolved: Resolved | undefined
  /** The number of users who ever had a position, also an empty one. */
  readonly traders: number
}

/** When the market was resolved, with source and note. */
export interface Resolved {
  readonly at: TimeMs
  readonly sourceUrl: string | undefined
  readonly note: string | undefined
}

/** A market as a start reads it. */
export interface RecoveredMarket extends StoredMarket {
  /** The number of the market's last order, which is never archived; 0 if there is none. */
  readonly lastNumber: OrderRecord['number']
  readonly hasOpenOrders: boolean
}

interface MarketRow {
  code: MarketCode
  id: string
  slug: string
  title: string
  description: string
  sot: string
  created_at: TimeMs
  start_at: TimeMs
  end_at: TimeMs
  min_bet: Amount
  max_bet: Amount
  capacity: QuantityLots
  payout: PriceTicks
  tick_size: PriceTicks
  escrow: AccountNumber
  status: MarketStatus
  seq: number
  trades: number
  last_price: PriceTicks | null
  volume: QuantityLots
  open_pairs: QuantityLots
  outcome: Outcome | null
  source_url: string | null
  note: string | null
  resolved_at: TimeMs | null
  category: string | null
  listed_source_url: string | null
  traders: number
  fee_taker: number | null
  fee_maker: number | null
  fees: Amount
  group_code: MarketCode | null
  pool: MarketCode | null
  label: string | null
}

interface RecoveredRow extends MarketRow {
  last_number: OrderRecord['number']
  has_open: number
}

/** Chooses what the index `markets_live` has. */
const IS_LIVE = "status NOT IN ('settled', 'voided')"
/** In one statement for all markets: a statement for each took half of a start after a long year. */
const RECOVERED = `SELECT m.*,
    ifnull((SELECT max(number) FROM orders WHERE market = m.code), 0) AS last_number,
    EXISTS (SELECT 1 FROM orders AS o INDEXED BY orders_open
      WHERE o.market = m.code AND ${IS_OPEN}) AS has_open
  FROM markets AS m WHERE m.code > ? ORDER BY m.code`

/** The table of markets. */
export class MarketRows {
  readonly #selectAll: Statement<MarketRow>
  readonly #selectLive: Statement<MarketRow>
  readonly #database: Database
  readonly #selectOne: Statement<MarketRow>
  readonly #selectGroup: Statement<MarketRow>

  constructor(database: Database) {
    this.#selectAll = database.prepare('SELECT * FROM markets ORDER BY code')
    this.#selectLive = database.prepare(
      `SELECT * FROM markets INDEXED BY markets_live WHERE ${IS_LIVE} ORDER BY code`,
    )
    this.#database = database
    this.#selectOne = database.prepare('SELECT * FROM markets WHERE code = ?')
    this.#selectGroup = database.prepare('SELECT * FROM markets WHERE group_code = ? ORDER BY code')
  }

  find(code: MarketCode): StoredMarket | undefined {
    const row = this.#selectOne.get(code)
    return row && fromRow(row)
  }

  /** Returns the markets of a group. */
  ofGroup(code: MarketCode): StoredMarket[] {
    return this.#selectGroup.all(code).map(fromRow)
  }

  *all(): Generator<StoredMarket> {
    for (const row of this.#selectAll.iterate()) yield fromRow(row)
  }

  /** Yields the markets that are neither settled nor voided, by way of their index. */
  *live(): Generator<StoredMarket> {
    for (const row of this.#selectLive.iterate()) yield fromRow(row)
  }

  *recovered(): Generator<RecoveredMarket> {
    for (const row of jsonPages<RecoveredRow>(this.#database, RECOVERED, 'code')) {
      const { last_number: lastNumber, has_open: hasOpen } = row
      yield { ...fromRow(row), lastNumber, hasOpenOrders: hasOpen === 1 }
    }
  }
}

function fromRow(row: MarketRow): StoredMarket {
  const { code, payout, capacity, escrow, id, title, slug, description, sot } = row
  const { status, seq, trades, volume, traders } = row
  return {
    terms: {
      code,
      payout,
      tickSize: row.tick_size,
      minBet: row.min_bet,
      maxBet: row.max_bet,
      capacity,
      startAt: row.start_at,
      endAt: row.end_at,
      escrow,
      ...(row.fee_taker !== null && { feeTaker: row.fee_taker }),
      ...(row.fee_maker !== null && { feeMaker: row.fee_maker }),
      ...(row.group_code !== null && { group: row.group_code }),
      ...(row.pool !== null && { pool: row.pool }),
    },
    listing: {
      ...{ id, title, slug, description, sot, createdAt: row.created_at },
      ...(row.category !== null && { category: row.category }),
      ...(row.label !== null && { label: row.label }),
      ...(row.listed_source_url !== null && { sourceUrl: row.listed_source_url }),
    },
    progress: {
      status,
      outcome: row.outcome ?? undefined,
      seq,
      trades,
      lastPrice: row.last_price ?? undefined,
      volume,
      openPairs: row.open_pairs,
      fees: row.fees,
    },
    resolved:
      row.resolved_at === null
        ? undefined
        : { at: row.resolved_at, sourceUrl: row.source_url ?? undefined, note: row.note ?? undefined },
    traders,
  }
}
