import type { TransferReceipt, UserBalance, ValuedPosition } from '../../client/node-client.js'
import { contracts, rupees } from '../terminal/figures.js'
import { printable } from '../terminal/printable.js'
import { shortened, table } from '../terminal/table.js'

const ID_LENGTH = 40
const FIGURES = [undefined, 'right', 'right', 'right', 'right', 'right', 'right'] as const

/** Formats users as a table with one line each. */
export function userTable(users: readonly UserBalance[]): string {
  const rows = users.map(({ userid, cash, held, available }) => [
    shortened(printable(userid), ID_LENGTH),
    rupees(cash),
    rupees(held),
    rupees(available),
  ])
  return table([['user', 'cash', 'held', 'available'], ...rows], FIGURES)
}

/** Formats a user's money, and below it one line for each event in which the user holds contracts. */
export function userSheet(
  { userid, cash, held, available }: UserBalance,
  positions: readonly ValuedPosition[],
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

/** Formats a transfer with the cash after it: `Credited ₹500.00 to asha. New balance ₹10,00,500.00`. */
export function transferLine({ userid, type, amount, cash, txn_id }: TransferReceipt): string {
  const done = type === 'deposit' ? `Credited ${rupees(amount)} to` : `Debited ${rupees(amount)} from`
  return `${done} ${printable(userid)}. New balance ${rupees(cash)} (transaction ID ${printable(txn_id)})\n`
}
