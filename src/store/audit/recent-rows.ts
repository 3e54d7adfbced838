import type { Command, CreateOrder } from '../../core/command.js'
import { newOrdersOf } from '../../core/command.js'
import { createdMarketsOf, escrowsOf } from '../../core/command-effects.js'
import { newOrderRecord } from '../../core/order-record.js'
import type { Sequence, TimeMs } from '../../core/units.js'
import { readCommands } from '../command-text.js'
import type { Database } from '../database.js'
import { escrowOwner, makerOwner, userOwner } from '../rows/account-rows.js'
import { FIXED_COLUMNS, fixedCells } from '../rows/order-columns.js'
import type { OrderUpdate, PositionUpdate } from '../rows/update-rows.js'

type Cells = Readonly<Record<string, string | number | null>>

/** A row that must exist: its key, and the expected values of some columns. */
export interface ExpectedRow {
  readonly table: string
  readonly key: Cells
  readonly columns: Cells
}

interface JournalPart {
  readonly sequence: Sequence
  readonly at: TimeMs
  readonly commands: string
}

interface UpdateColumns {
  readonly account: number
  readonly sequence: Sequence
  readonly userSeq: number
  readonly orders: string | null
  readonly positions: string | null
  readonly cash: number | null
  readonly held: number | null
}

/** The most batches read from the journal's end; fewer if their text is long. */
const BATCHES_MAX = 64
const TEXT_LENGTH_MAX = 1_000_000

/**
 * Yields the rows that the journal's last batches imply: the columns that their commands set for good, and
 * the state that the last messages to users reported.
 */
export function* recentRows(database: Database): Generator<ExpectedRow> {
  const journal = database.prepare<unknown[], JournalPart>(
    'SELECT sequence, at, commands FROM live_journal ORDER BY sequence DESC LIMIT ?',
  )
  let length = 0
  let first = 0
  for (const { sequence, at, commands } of journal.iterate(BATCHES_MAX)) {
    length += commands.length
    if (length > TEXT_LENGTH_MAX && first > 0) break
    first = sequence
    for (const command of readCommands(commands, sequence)) yield* createdRows(command, at)
  }
  yield* updatedRows(database, first)
}

function* createdRows(command: Command, at: TimeMs): Generator<ExpectedRow> {
  for (const order of newOrdersOf(command)) yield* orderRows(order, at)
  if (command.type === 'OPEN_ACCOUNT') yield accountRow(command.account, userOwner(command.userId))
  else if (command.type === 'FUND_QUOTES') {
    yield accountRow(command.account, makerOwner(command.market, command.round))
  } else if (command.type === 'TRANSFER_MONEY') {
    const { txnId: txn_id, account, direction, amount } = command
    yield { table: 'transfers', key: { txn_id }, columns: { account, direction, amount, at } }
  } else yield* marketRows(command)
}

function* orderRows(command: CreateOrder, at: TimeMs): Generator<ExpectedRow> {
  const order = newOrderRecord(command, at)
  const { market, number, account } = order
  const cells = fixedCells(order)
  const columns = Object.fromEntries(FIXED_COLUMNS.map((column, index) => [column, cells[index] ?? null]))
  yield { table: 'orders', key: { market, number }, columns }
  if (command.key === undefined) return
  const { name, fingerprint } = command.key
  // An amendment may have given the name to a later order of the market.
  yield { table: 'order_keys', key: { account, name }, columns: { fingerprint, market } }
}

/** Omits the terms that an operator may edit. */
function* marketRows(command: Command): Generator<ExpectedRow> {
  for (const [escrow, pool] of escrowsOf(command)) yield accountRow(escrow, escrowOwner(pool))
  for (const { terms, listing } of createdMarketsOf(command)) {
    const { code, payout, tickSize, escrow } = terms
    const columns = { id: listing.id, created_at: listing.createdAt, payout, tick_size: tickSize, escrow }
    yield { table: 'markets', key: { code }, columns }
  }
}

function accountRow(number: number, owner: string): ExpectedRow {
  return { table: 'accounts', key: { number }, columns: { owner } }
}

/**
 * Yields the rows that user messages since a batch imply, newest first: only the last state of each counts.
 */
function* updatedRows(database: Database, first: number): Generator<ExpectedRow> {
  const updates = database.prepare<unknown[], UpdateColumns>(
    `SELECT account, sequence, user_seq AS userSeq, orders, positions, cash, held FROM updates
     ORDER BY id DESC`,
  )
  const seen = new Set<string>()
  const isNew = (name: string) => seen.size < seen.add(name).size
  for (const { account, sequence, userSeq, orders, positions, cash, held } of updates.iterate()) {
    if (sequence < first) return
    const number = { number: account }
    if (isNew(`told ${account}`)) yield { table: 'accounts', key: number, columns: { user_seq: userSeq } }
    if (cash !== null && isNew(`money ${account}`))
      yield { table: 'accounts', key: number, columns: { cash, held } }
    for (const update of listOf<OrderUpdate>(orders)) {
      const [market, order, state, reason, quantity, filled, filled_value, fee_paid = 0] = update
      const columns = { state, reason, quantity, filled, filled_value, fee_paid }
      if (isNew(`order ${market} ${order}`))
        yield { table: 'orders', key: { market, number: order }, columns }
    }
    for (const [market, yes, no, yes_locked, no_locked] of listOf<PositionUpdate>(positions)) {
      const columns = { yes, no, yes_locked, no_locked }
      if (isNew(`position ${market} ${account}`))
        yield { table: 'positions', key: { market, account }, columns }
    }
  }
}

function listOf<Update>(text: string | null): Update[] {
  return text === null ? [] : (JSON.parse(text) as Update[])
}
