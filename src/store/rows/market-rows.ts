import type { MarketListing, MarketProgress, MarketStatus, MarketTerms, Outcome } from '../../core/market.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber, Amount, MarketCode, PriceTicks, QuantityLots, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { jsonPages } from './json-pages.js'

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

/** A market as the main thread has it in memory. */
export interface RecoveredMarket extends StoredMarket {
  /** The number of the market's last order, which is never archived; 0 if there is none. */
  readonly lastNumber: OrderRecord['number']
}

/** A market that is over, as far as lists need it. */
export interface EndedMarket {
  readonly code: MarketCode
  readonly group: MarketCode | undefined
  readonly status: MarketStatus
  readonly sot: string
  readonly category: string | undefined
  readonly createdAt: TimeMs
  readonly endAt: TimeMs
  /** When it got its result; when it ended, if that is not known. */
  readonly overAt: TimeMs
  readonly volume: QuantityLots
  /** Users who ever had a position. */
  readonly traders: number
}

/** The same, and whether something is left to do for it. */
export interface StoredEnd extends EndedMarket {
  readonly openPairs: QuantityLots
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
}

type EndCells = [
  code: MarketCode,
  group: MarketCode | null,
  status: MarketStatus,
  sot: string,
  category: string | null,
  createdAt: TimeMs,
  endAt: TimeMs,
  resolvedAt: TimeMs | null,
  volume: QuantityLots,
  traders: number,
  openPairs: QuantityLots,
]

const PAGE_LENGTH = 1024
/** Chooses what the index `markets_live` has. */
const IS_LIVE = "status NOT IN ('settled', 'voided')"
const RECOVERED = `SELECT m.*,
    ifnull((SELECT max(number) FROM orders WHERE market = m.code), 0) AS last_number
  FROM markets AS m`
const LIVE = `${RECOVERED} INDEXED BY markets_live WHERE ${IS_LIVE} AND m.code > ? ORDER BY m.code`
const END_CELLS = `json_array(code, group_code, status, sot, category,
  created_at, end_at, resolved_at, volume, traders, open_pairs)`

/** The table of markets. */
export class MarketRows {
  readonly #selectAll: Statement<MarketRow>
  readonly #selectLive: Statement<MarketRow>
  readonly #database: Database
  readonly #selectOne: Statement<MarketRow>
  readonly #selectGroup: Statement<MarketRow>
  readonly #recoverOne: Statement<RecoveredRow>
  readonly #recoverGroup: Statement<RecoveredRow>
  readonly #selectSlug: Statement<MarketCode>
  readonly #selectId: Statement<MarketCode>

  constructor(database: Database) {
    this.#selectAll = database.prepare('SELECT * FROM markets ORDER BY code')
    this.#selectLive = database.prepare(
      `SELECT * FROM markets INDEXED BY markets_live WHERE ${IS_LIVE} ORDER BY code`,
    )
    this.#database = database
    this.#selectOne = database.prepare('SELECT * FROM markets WHERE code = ?')
    this.#selectGroup = database.prepare('SELECT * FROM markets WHERE group_code = ? ORDER BY code')
    this.#recoverOne = database.prepare(`${RECOVERED} WHERE m.code = ?`)
    this.#recoverGroup = database.prepare(`${RECOVERED} WHERE m.group_code = ? ORDER BY m.code`)
    const codeBy = (column: string) =>
      database.prepare<unknown[], MarketCode>(`SELECT code FROM markets WHERE ${column} = ?`).pluck()
    this.#selectSlug = codeBy('slug')
    this.#selectId = codeBy('id')
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

  /** Yields the markets that are neither settled nor voided, with their last orders. */
  *recoveredLive(): Generator<RecoveredMarket> {
    for (const row of jsonPages<RecoveredRow>(this.#database, LIVE, 'code')) yield recoveredFrom(row)
  }

  recovered(code: MarketCode): RecoveredMarket | undefined {
    const row = this.#recoverOne.get(code)
    return row && recoveredFrom(row)
  }

  recoveredOfGroup(code: MarketCode): RecoveredMarket[] {
    return this.#recoverGroup.all(code).map(recoveredFrom)
  }

  codeOfSlug(slug: string): MarketCode | undefined {
    return this.#selectSlug.get(slug)
  }

  codeOfId(id: string): MarketCode | undefined {
    return this.#selectId.get(id)
  }

  /** Yields the markets that are settled or voided, by code. */
  *ended(): Generator<StoredEnd> {
    const select = this.#database
      .prepare<unknown[], string>(
        `SELECT json_group_array(${END_CELLS}) FROM
           (SELECT * FROM markets WHERE NOT (${IS_LIVE}) AND code > ? ORDER BY code LIMIT ${PAGE_LENGTH})`,
      )
      .pluck()
    let after = 0
    for (let length = PAGE_LENGTH; length === PAGE_LENGTH; ) {
      const rows = JSON.parse(select.get(after) ?? '[]') as EndCells[]
      yield* rows.map(endFrom)
      after = rows.at(-1)?.[0] ?? 0
      length = rows.length
    }
  }
}

/** By index: there are many, and taking an array apart costs a microsecond each. */
function endFrom(cells: EndCells): StoredEnd {
  return {
    code: cells[0],
    group: cells[1] ?? undefined,
    status: cells[2],
    sot: cells[3],
    category: cells[4] ?? undefined,
    createdAt: cells[5],
    endAt: cells[6],
    overAt: cells[7] ?? cells[6],
    volume: cells[8],
    traders: cells[9],
    openPairs: cells[10],
  }
}

function recoveredFrom(row: RecoveredRow): RecoveredMarket {
  return { ...fromRow(row), lastNumber: row.last_number }
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
