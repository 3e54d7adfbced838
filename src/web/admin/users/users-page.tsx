import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { UserBalance } from '../../../client/client.js'
import { rupeesText } from '../../kit/number-texts.js'
import { clients } from '../admin-clients.js'
import { MoreButton } from '../more-button.jsx'
import { usePolled } from '../polling.js'
import { SearchField } from '../search-field.jsx'
import { MoneyDialog } from './money-dialog.jsx'
import { pendingTransfer } from './pending-transfer.js'
import { UserTable } from './user-table.jsx'

const POLL_PAUSE_MS = 4000
const USERS_STEP = 1000

/** All users and their balances, with deposits and withdrawals. */
export function UsersPage() {
  const limit = useSignal(USERS_STEP)
  const { value: users, again } = usePolled(
    () => clients.asking.operator.fetchUsers({ limit: limit.value }),
    POLL_PAUSE_MS,
    String(limit.value),
  )
  const done = useSignal('')
  /** The user whose transfer form is open; empty when the operator types the name. */
  const paying = useSignal<string | undefined>(undefined)
  useEffect(() => {
    document.title = 'Users · Raay admin'
  }, [])
  const pay = (userid: string) => {
    done.value = ''
    paying.value = userid
  }
  const end = (words: string) => {
    paying.value = undefined
    if (words === '') return
    done.value = words
    again()
  }
  return (
    <>
      <div class="page-head">
        <h1>Users</h1>
        <button type="button" class="button button-main" onClick={() => pay('')}>
          Deposit / withdraw
        </button>
      </div>
      <Unanswered onLook={() => pay('')} />
      <p class="gain done" role="status">
        {done.value}
      </p>
      <UserList users={users} onPay={pay} />
      {users?.length === limit.value && (
        <MoreButton words="Show more users" limit={limit} step={USERS_STEP} />
      )}
      {paying.value !== undefined && <MoneyDialog userid={paying.value} onEnd={end} />}
    </>
  )
}

/** Reminds the operator of a transfer that got no response. */
function Unanswered({ onLook }: { readonly onLook: () => void }) {
  const transfer = pendingTransfer.value
  if (transfer === undefined) return null
  const what = transfer.direction === 'deposit' ? 'A deposit' : 'A withdrawal'
  return (
    <p class="notice notice-warn">
      {what} of {rupeesText(transfer.amount)} for {transfer.userid} got no response.{' '}
      <button type="button" class="button button-small" onClick={onLook}>
        Review
      </button>
    </p>
  )
}

interface UserListProps {
  readonly users: readonly UserBalance[] | undefined
  readonly onPay: (userid: string) => void
}

function UserList({ users, onPay }: UserListProps) {
  const query = useSignal('')
  const words = query.value.toLowerCase()
  const found = (users ?? []).filter(({ userid }) => userid.toLowerCase().includes(words))
  return (
    <>
      <search class="filters">
        <SearchField label="Search users" hint="Search by username" query={query} />
      </search>
      <section class="card" aria-label="Users" aria-busy={users === undefined}>
        {users === undefined && <p class="empty">Loading users…</p>}
        {users?.length === 0 && (
          <p class="empty">No users yet. A user appears with their first order or deposit.</p>
        )}
        {users !== undefined && users.length > 0 && found.length === 0 && (
          <p class="empty">No users match.</p>
        )}
        {found.length > 0 && <UserTable users={found} onPay={onPay} />}
      </section>
    </>
  )
}
