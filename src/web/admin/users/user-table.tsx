import type { UserBalance } from '../../../client/client.js'
import { countText, rupeesText } from '../../kit/number-texts.js'

interface UserTableProps {
  readonly users: readonly UserBalance[]
  readonly onPay: (userid: string) => void
}

/** Users and their balances, with totals. */
export function UserTable({ users, onPay }: UserTableProps) {
  const total = (of: 'cash' | 'held' | 'available') => {
    return rupeesText(users.reduce((sum, user) => sum + user[of], 0))
  }
  return (
    <div class="table-frame">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col" class="number">
              Cash
            </th>
            <th scope="col" class="number roomy">
              In open orders
            </th>
            <th scope="col" class="number roomy">
              Available
            </th>
            <th scope="col">
              <span class="unseen">Deposit or withdraw</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {users.map(user => (
            <UserRow key={user.userid} user={user} onPay={onPay} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{countText(users.length)} shown</th>
            <td class="number">{total('cash')}</td>
            <td class="number roomy">{total('held')}</td>
            <td class="number roomy">{total('available')}</td>
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

interface UserRowProps {
  readonly user: UserBalance
  readonly onPay: (userid: string) => void
}

function UserRow({ user: { userid, cash, held, available }, onPay }: UserRowProps) {
  return (
    <tr>
      <td class="name">{userid}</td>
      <td class="number">{rupeesText(cash)}</td>
      <td class="number roomy">{rupeesText(held)}</td>
      <td class="number roomy">{rupeesText(available)}</td>
      <td class="number">
        <button
          type="button"
          class="button button-small"
          aria-label={`Deposit / withdraw for ${userid}`}
          onClick={() => onPay(userid)}
        >
          Deposit / withdraw
        </button>
      </td>
    </tr>
  )
}
