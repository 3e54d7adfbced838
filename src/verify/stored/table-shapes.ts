import { FIXED_FIELDS } from '../../core/records/order-fields.js'

export interface TableShape {
  readonly key: readonly string[]
  /** Columns to compare, in the order of the line; a name that ends in `?` may be NULL. */
  readonly columns: readonly string[]
}

const words = (text: string) => text.split(/\s+/)

/**
 * Every table derived from the journal. A row is compared as one line of text: SQLite writes the line of a
 * stored row, the replay writes the expected line, and only one 32-bit hash of it is kept. Reading one text
 * costs half as much as reading its columns.
 */
export const TABLE_SHAPES = {
  accounts: {
    key: ['number'],
    columns: words('owner cash held last_entry? last_market? last_number? last_update? user_seq'),
  },
  markets: {
    key: ['code'],
    columns: words(`id slug title description sot created_at start_at end_at min_bet max_bet capacity payout
      tick_size escrow status outcome? seq trades last_price? volume open_pairs source_url? note?
      resolved_at? category? listed_source_url? traders fee_taker? fee_maker? fees group_code? pool? label?`),
  },
  market_groups: {
    key: ['code'],
    columns: words(`id kind title description has_none created_at payout escrow? sets conversions`),
  },
  conversions: {
    key: ['group_code', 'number'],
    columns: words('account at direction lots cash markets others client_key? fingerprint?'),
  },
  house_quotes: {
    key: ['account'],
    columns: words('market round budget low step start lots funded_at stopped_at? returned'),
  },
  positions: { key: ['market', 'account'], columns: words('yes no yes_locked no_locked paid') },
  // Immutable columns come first, so that an open order needs only the hash of that part of its line.
  orders: {
    key: ['market', 'number'],
    columns: [
      ...Object.values(FIXED_FIELDS),
      ...words(`previous_market? previous_number?
        quantity covered filled filled_value state reason? updated_at fee_paid fee_credit`),
    ],
  },
  order_keys: { key: ['account', 'name'], columns: words('fingerprint market number') },
  batch_keys: { key: ['place', 'name'], columns: words('fingerprint market? number?') },
  fee_days: { key: ['day', 'market'], columns: ['fees'] },
  timers: { key: ['account'], columns: words('ends_at? markets? fired') },
  seasons: {
    key: ['season'],
    columns: words('name starts_at ends_at stake begun_at? turned_at? is_dropped'),
  },
  trades: {
    key: ['market', 'trade'],
    columns: words('price quantity taker_side taker taker_account maker maker_account at'),
  },
  entries: {
    key: ['id'],
    columns: words(`account previous? sequence line at kind change cash market? order_number? trade?
      txn_id? fee`),
  },
  transfers: { key: ['txn_id'], columns: words('account direction amount cash at') },
  settlements: { key: ['account', 'market'], columns: words('outcome yes no paid payment at') },
  updates: {
    key: ['id'],
    columns: words('account user_seq previous? sequence at fills? entry? orders? positions? cash? held?'),
  },
  admin_actions: {
    key: ['sequence', 'line'],
    columns: words('at who address action market? account? fields'),
  },
  update_marks: { key: ['account', 'user_seq'], columns: ['id'] },
} as const satisfies Record<string, TableShape>

export type TableName = keyof typeof TABLE_SHAPES
