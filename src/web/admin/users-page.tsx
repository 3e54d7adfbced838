import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { UserBalance } from '../../client/client.js'
import { countText, rupeesText } from '../number-texts.js'
import { clients } from './admin-access.js'
import { MoneyDialog } from './money-dialog.jsx'
import { pendingTransfer } from './pending-transfer.js'
import { usePolled } from './polled.js'

const POLL_PAUSE_MS = 4000
const USERS_STEP = 1000

/** All users and their money. */
export function UsersPage() {
  const limit = useSignal(USERS_STEP)
  const { value: users, again } = usePolled(
    () => clients.value.asking.operator.fetchUsers({ limit: limit.value }),
    POLL_PAUSE_MS,
    String(limit.value),
  )
  const query = useSignal('')
  const done = useSignal('')
  /** Whose transfer is being written; empty for anybody's. */
  const paying = useSignal<string | undefined>(undefined)
  useEffect(() => {
    document.title = 'Users: Raay admin'
  }, [])
  const found = (users ?? []).filter(({ userid }) => userid.toLowerCase().includes(query.value.toLowerCase()))
  const pay = (userid: string) => {
    done.value = ''
    paying.value = userid
  }
  return (
    <>
      <div class="page-head">
        <h1>Users</h1>
        <button type="button" class="button button-main" onClick={() => pay('')}>
          Deposit or withdraw
        </button>
      </div>
      <Unanswered onLook={() => pay('')} />
      <p class="gain done" role="status">
        {done.value}
      </p>
      <search class="filters">
        <input
          class="field"
          type="search"
          placeholder="Search by name"
          aria-label="Search users"
          value={query.value}
          onInput={event => {
            query.value = event.currentTarget.value
          }}
        />
      </search>
      <section class="card" aria-label="Users" aria-busy={users === undefined}>
        {users === undefined && <p class="empty">Loading the users…</p>}
        {users?.length === 0 && (
          <p class="empty">Nobody yet: a user is made by the first order, or by a deposit.</p>
        )}
        {users !== undefined && users.length > 0 && found.length === 0 && (
          <p class="empty">Nobody is called that.</p>
        )}
        {found.length > 0 && <UserTable users={found} onPay={pay} />}
      </section>
      {users?.length === limit.value && (
        <p class="list-end">
          <button
            type="button"
            class="button"
            onClick={() => {
              limit.value += USERS_STEP
            }}
          >
            Show more users
          </button>
        </p>
      )}
      {paying.value !== undefined && (
        <MoneyDialog
          userid={paying.value}
          onEnd={words => {
            paying.value = undefined
            done.value = words
            if (words !== '') again()
          }}
        />
      )}
    </>
  )
}

/** A transfer that was sent and not answered is not forgotten. */
function Unanswered({ onLook }: { readonly onLook: () => void }) {
  const transfer = pendingTransfer.value
  if (transfer === undefined) return null
  return (
    <p class="notice notice-warn">
      A {transfer.direction === 'deposit' ? 'deposit' : 'withdrawal'} of {rupeesText(transfer.amount)} for{' '}
      {transfer.userid} was not answered.{' '}
      <button type="button" class="button button-small" onClick={onLook}>
        See to it
      </button>
    </p>
  )
}

interface UserTableProps {
  readonly users: readonly UserBalance[]
  readonly onPay: (userid: string) => void
}

function UserTable({ users, onPay }: UserTableProps) {
  const total = (of: 'cash' | 'held' | 'available') => users.reduce((sum, user) => sum + user[of], 0)
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
              Held for orders
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
          {users.map(({ userid, cash, held, available }) => (
            <tr key={userid}>
              <td class="name">{userid}</td>
              <td class="number">{rupeesText(cash)}</td>
              <td class="number roomy">{rupeesText(held)}</td>
              <td class="number roomy">{rupeesText(available)}</td>
              <td class="number">
                <button
                  type="button"
                  class="button button-small"
                  aria-label={`Deposit or withdraw for ${userid}`}
                  onClick={() => onPay(userid)}
                >
                  Money…
                </button>
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{countText(users.length)} shown</th>
            <td class="number">{rupeesText(total('cash'))}</td>
            <td class="number roomy">{rupeesText(total('held'))}</td>
            <td class="number roomy">{rupeesText(total('available'))}</td>
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
