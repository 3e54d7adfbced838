import type { Column, ColumnKind } from './column.js'

/** A table of an export. Rows are read in the order of a key that no batch changes. */
export interface ExportTable {
  readonly columns: readonly Column[]
  /** The key in SQL; its columns are selected before those of the export. */
  readonly key: readonly string[]
  /** The values of the columns in SQL. */
  readonly values: readonly string[]
  /** The places of the rows: some tables are in two parts, since old rows move to an archive. */
  readonly from: readonly string[]
  /** The number of rows in SQL, for progress. */
  readonly count: string
  /** The account of a row, if rows belong to users. */
  readonly account?: string
  /** The batch that wrote a row: such rows never change, and later ones lie behind it. */
  readonly sequence?: string
}

type Fields = Readonly<Record<string, readonly [kind: ColumnKind, sql: string]>>

const table = (fields: Fields, rest: Omit<ExportTable, 'columns' | 'values'>): ExportTable => ({
  ...rest,
  columns: Object.entries(fields).map(([name, [kind]]) => ({ name, kind })),
  values: Object.values(fields).map(([, sql]) => sql),
})

/** Says the same of the live part of a table and of its archived part. */
const both = (from: (part: string) => string) => [from('main.'), from('archived_')]

/** The suffix of an order, wherever it is. A join with both parts would copy them to memory. */
const suffixOf = (market: string, number: string) => {
  const inPart = both(
    part => `(SELECT suffix FROM ${part}orders WHERE market = ${market} AND number = ${number})`,
  )
  return `coalesce(${inPart.join(', ')})`
}

/** The user id of an account, or NULL. */
const userOf = (alias: string) => `iif(${alias}.owner GLOB 'user:*', substr(${alias}.owner, 6), NULL)`

const EVENTS = table(
  {
    event_id: ['text', 'm.code'],
    slug: ['text', 'm.slug'],
    title: ['text', 'm.title'],
    description: ['text', 'm.description'],
    sot: ['text', 'm.sot'],
    category: ['text', 'm.category'],
    status: ['text', 'm.status'],
    outcome: ['text', 'm.outcome'],
    created_at: ['time', 'm.created_at'],
    start_date: ['time', 'm.start_at'],
    end_date: ['time', 'm.end_at'],
    resolved_at: ['time', 'm.resolved_at'],
    source_url: ['text', 'ifnull(m.source_url, m.listed_source_url)'],
    note: ['text', 'm.note'],
    payout: ['paise', 'm.payout'],
    tick_size: ['paise', 'm.tick_size'],
    min_bet: ['units', 'm.min_bet'],
    max_bet: ['units', 'm.max_bet'],
    quantity: ['paise', 'm.capacity'],
    trades: ['whole', 'm.trades'],
    last_price: ['paise', 'm.last_price'],
    volume: ['paise', 'm.volume'],
    open_interest: ['paise', 'm.open_pairs'],
    fee_taker_bp: ['whole', 'm.fee_taker'],
    fee_maker_bp: ['whole', 'm.fee_maker'],
    fees: ['units', 'm.fees'],
  },
  { key: ['m.code'], from: ['main.markets m'], count: 'SELECT count(*) FROM markets' },
)

const ORDERS = table(
  {
    order_id: ['text', "o.market || '-' || o.number || '-' || o.suffix"],
    event_id: ['text', 'o.market'],
    userid: ['text', userOf('a')],
    offer_type: ['text', "iif(o.side = o.outcome, 'buy', 'sell')"],
    outcome: ['text', 'o.outcome'],
    side: ['text', 'o.side'],
    order_type: ['text', 'o.order_type'],
    time_in_force: ['text', 'o.time_in_force'],
    yes_price: ['paise', 'o.price'],
    quantity: ['paise', 'o.quantity'],
    filled: ['paise', 'o.filled'],
    // The sum of YES price × quantity over all fills: ticks × lots are units.
    filled_yes_value: ['units', 'o.filled_value'],
    state: ['text', 'o.state'],
    reason: ['text', 'o.reason'],
    asked: ['text', 'o.asked'],
    post_only: ['flag', 'o.post_only'],
    reduce_only: ['flag', 'o.reduce_only'],
    self_trade: ['text', 'o.self_trade'],
    client_order_id: ['text', 'o.client_key'],
    quote_set: ['text', 'o.quote_set'],
    expires_at: ['time', 'o.expires_at'],
    created_at: ['time', 'o.created_at'],
    updated_at: ['time', 'o.updated_at'],
    fee_taker_bp: ['whole', 'o.fee_taker'],
    fee_maker_bp: ['whole', 'o.fee_maker'],
    fee_paid: ['units', 'o.fee_paid'],
  },
  {
    key: ['o.market', 'o.number'],
    from: both(part => `${part}orders o JOIN accounts a ON a.number = o.account`),
    count: 'SELECT count(*) FROM whole_orders',
  },
)

const TRADES = table(
  {
    trade_id: ['text', "t.market || '-' || t.trade"],
    event_id: ['text', 't.market'],
    at: ['time', 't.at'],
    yes_price: ['paise', 't.price'],
    quantity: ['paise', 't.quantity'],
    taker_side: ['text', 't.taker_side'],
    taker: ['text', userOf('ta')],
    taker_order_id: ['text', `t.market || '-' || t.taker || '-' || ${suffixOf('t.market', 't.taker')}`],
    maker: ['text', userOf('ma')],
    maker_order_id: ['text', `t.market || '-' || t.maker || '-' || ${suffixOf('t.market', 't.maker')}`],
  },
  {
    key: ['t.market', 't.trade'],
    from: both(
      part => `${part}trades t JOIN accounts ta ON ta.number = t.taker_account
        JOIN accounts ma ON ma.number = t.maker_account`,
    ),
    count: 'SELECT ifnull(sum(trades), 0) FROM markets',
  },
)

const BALANCES = table(
  {
    account: ['whole', 'a.number'],
    kind: ['text', "iif(instr(a.owner, ':') = 0, a.owner, substr(a.owner, 1, instr(a.owner, ':') - 1))"],
    userid: ['text', userOf('a')],
    event_id: [
      'text',
      `CASE WHEN a.owner GLOB 'escrow:*' THEN substr(a.owner, 8)
       WHEN a.owner GLOB 'maker:*' THEN substr(a.owner, 7, 7) END`,
    ],
    cash: ['units', 'a.cash'],
    held: ['units', 'a.held'],
    available: ['units', 'a.cash - a.held'],
  },
  { key: ['a.number'], from: ['main.accounts a'], count: 'SELECT count(*) FROM accounts' },
)

const STATEMENT = table(
  {
    id: ['whole', 'e.id'],
    userid: ['text', userOf('a')],
    sequence: ['whole', 'e.sequence'],
    line: ['whole', 'e.line'],
    at: ['time', 'e.at'],
    kind: ['text', 'e.kind'],
    change: ['units', 'e.change'],
    cash: ['units', 'e.cash'],
    event_id: ['text', 'e.market'],
    order_id: [
      'text',
      `e.market || '-' || e.order_number || '-' || ${suffixOf('e.market', 'e.order_number')}`,
    ],
    // A conversion has a number of its own there.
    trade_id: ['text', "iif(e.kind = 'trade', e.market || '-' || e.trade, NULL)"],
    txn_id: ['text', 'e.txn_id'],
    fee: ['units', 'e.fee'],
  },
  {
    key: ['e.id'],
    from: both(part => `${part}entries e JOIN accounts a ON a.number = e.account`),
    count: 'SELECT ifnull(max(id), 0) FROM whole_entries',
    account: 'e.account',
    sequence: 'e.sequence',
  },
)

/** The tables that can be exported, by the words of the command line. */
export const EXPORT_TABLES = {
  events: EVENTS,
  orders: ORDERS,
  trades: TRADES,
  balances: BALANCES,
  statement: STATEMENT,
} as const satisfies Record<string, ExportTable>

export type ExportName = keyof typeof EXPORT_TABLES
