import { contracts, rupees } from '../terminal/figures.js'
import { printable } from '../terminal/printable.js'
import { shortened, table } from '../terminal/table.js'

export interface BalanceView {
  readonly userid: string
  readonly cash: number
  readonly held: number
  readonly available: number
}

export interface PositionView {
  readonly event_id: string
  readonly yes: number
  readonly no: number
  readonly yes_locked: number
  readonly no_locked: number
  readonly average_price: number | null
  readonly realised: number | null
  readonly unrealised: number | null
}

export interface TransferView {
  readonly txn_id: string
  readonly userid: string
  readonly type: 'deposit' | 'withdrawal'
  readonly amount: number
  readonly cash: number
}

const ID_LENGTH = 40
const FIGURES = [undefined, 'right', 'right', 'right', 'right', 'right', 'right'] as const

/** One line a user, below a head. */
export function userTable(users: readonly BalanceView[]): string {
  const rows = users.map(({ userid, cash, held, available }) => [
    shortened(printable(userid), ID_LENGTH),
    rupees(cash),
    rupees(held),
    rupees(available),
  ])
  return table([['user', 'cash', 'held', 'available'], ...rows], FIGURES)
}

/** A user's money, and below it a line for each event they hold contracts of. */
export function userSheet(
  { userid, cash, held, available }: BalanceView,
  positions: readonly PositionView[],
): string {
  const money = table([
    ['user', printable(userid)],
    ['cash', rupees(cash)],
    ['held', rupees(held)],
    ['available', rupees(available)],
  ])
  if (positions.length === 0) return money
  const head = ['event', 'yes', 'no', 'locked', 'average', 'realised', 'unrealised']
  const rows = positions.map(position => [
    position.event_id,
    contracts(position.yes),
    contracts(position.no),
    contracts(position.yes_locked + position.no_locked),
    rupees(position.average_price),
    rupees(position.realised),
    rupees(position.unrealised),
  ])
  return `${money}\n${table([head, ...rows], FIGURES)}`
}

/** `asha was credited ₹500.00 and has ₹10,00,500.00 (txn_id …)`: as it was right after the transfer. */
export function transferLine({ userid, type, amount, cash, txn_id }: TransferView): string {
  const did = type === 'deposit' ? 'was credited' : 'was debited'
  const name = `txn_id ${printable(txn_id)}`
  return `${printable(userid)} ${did} ${rupees(amount)} and then had ${rupees(cash)} (${name})\n`
}
