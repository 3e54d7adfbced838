import type { UserBalance } from '../../../client/client.js'
import { countText, rupeesText } from '../../kit/number-texts.js'

interface UserTableProps {
  readonly users: readonly UserBalance[]
  readonly onPay: (userid: string) => void
}

/** Users and their money, with what it comes to. */
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
              Free
            </th>
            <th scope="col">
              <span class="unseen">Money</span>
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
          aria-label={`Money… of ${userid}`}
          onClick={() => onPay(userid)}
        >
          Money…
        </button>
      </td>
    </tr>
  )
}
