import type { GroupKind, GroupListing, GroupProgress, GroupTerms } from '../../core/group.js'
import type { AccountNumber, MarketCode, PriceTicks, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** A group as stored. */
export interface StoredGroup {
  readonly terms: GroupTerms
  readonly listing: GroupListing
  readonly progress: GroupProgress
}

interface GroupRow {
  code: MarketCode
  id: string
  kind: GroupKind
  title: string
  description: string
  has_none: number
  created_at: TimeMs
  payout: PriceTicks
  escrow: AccountNumber | null
  sets: number
  conversions: number
}

/** The table of groups. */
export class GroupRows {
  readonly #selectOne: Statement<GroupRow>

  constructor(database: Database) {
    this.#selectOne = database.prepare('SELECT * FROM market_groups WHERE code = ?')
  }

  find(code: MarketCode): StoredGroup | undefined {
    const row = this.#selectOne.get(code)
    return row && fromRow(row)
  }
}

function fromRow(row: GroupRow): StoredGroup {
  const { code, kind, payout, escrow, id, title, description, sets, conversions } = row
  return {
    terms: { code, kind, payout, ...(escrow !== null && { escrow }) },
    listing: {
      ...{ id, title, description, createdAt: row.created_at },
      ...(row.has_none === 1 && { hasNone: true }),
    },
    progress: { sets, conversions },
  }
}
