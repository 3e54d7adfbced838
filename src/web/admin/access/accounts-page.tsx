import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Account } from '../../../api/auth/auth-shape.js'
import { authSession } from '../../auth/auth-session.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { MoreButton } from '../more-button.jsx'
import { usePolled } from '../polling.js'
import { SearchField } from '../search-field.jsx'
import { fetchList } from './access-requests.js'
import { AccountDialog } from './account-dialog.jsx'
import { InvitationsCard } from './invitations-card.jsx'
import { InviteDialog } from './invite-dialog.jsx'

const POLL_PAUSE_MS = 4000
const ROWS_STEP = 200

/** All accounts: their roles and credentials; admins invite, change and recover them. */
export function AccountsPage() {
  const query = useSignal('')
  const limit = useSignal(ROWS_STEP)
  const isInviting = useSignal(false)
  const managed = useSignal<Account | undefined>(undefined)
  const q = query.value.trim() || undefined
  const { value: accounts, again } = usePolled(
    () => fetchList<Account>('users', { q }, limit.value),
    POLL_PAUSE_MS,
    `${q} ${limit.value}`,
  )
  const rounds = useSignal(0)
  useEffect(() => {
    document.title = 'Accounts · Raay admin'
  }, [])
  const isAdmin = authSession.value?.caller?.role === 'admin'
  const invite = () => {
    isInviting.value = true
  }
  const manage = (account: Account) => {
    managed.value = account
  }
  const end = () => {
    isInviting.value = false
    managed.value = undefined
    rounds.value++
    again()
  }
  return (
    <>
      <Head isAdmin={isAdmin} onInvite={invite} />
      <search class="filters">
        <SearchField label="Search accounts" hint="Search by username" query={query} />
      </search>
      <section class="card" aria-label="Accounts" aria-busy={accounts === undefined}>
        {accounts === undefined && <p class="empty">Loading accounts…</p>}
        {accounts?.length === 0 && (
          <p class="empty">{q === undefined ? 'No accounts yet.' : 'No accounts match.'}</p>
        )}
        {accounts !== undefined && accounts.length > 0 && (
          <AccountTable accounts={accounts} onManage={isAdmin ? manage : undefined} />
        )}
      </section>
      {accounts?.length === limit.value && (
        <MoreButton words="Show more accounts" limit={limit} step={ROWS_STEP} />
      )}
      {isAdmin && <InvitationsCard key={rounds.value} />}
      {isInviting.value && <InviteDialog onEnd={end} />}
      {managed.value !== undefined && <AccountDialog account={managed.value} onEnd={end} />}
    </>
  )
}

function Head({ isAdmin, onInvite }: { readonly isAdmin: boolean; readonly onInvite: () => void }) {
  return (
    <div class="page-head">
      <h1>Accounts</h1>
      {isAdmin ? (
        <button type="button" class="button button-main" onClick={onInvite}>
          Invite
        </button>
      ) : (
        <p class="faint">Admins change accounts.</p>
      )}
    </div>
  )
}

interface AccountTableProps {
  readonly accounts: readonly Account[]
  readonly onManage: ((account: Account) => void) | undefined
}

function AccountTable({ accounts, onManage }: AccountTableProps) {
  return (
    <div class="table-frame">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Username</th>
            <th scope="col">Role</th>
            <th scope="col" class="roomy">
              Last sign-in
            </th>
            <th scope="col" class="roomy number">
              Sessions
            </th>
            <th scope="col" class="roomy number">
              API keys
            </th>
            <th scope="col" class="roomy number">
              Passkeys
            </th>
            <th scope="col">
              <span class="unseen">Manage</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map(account => (
            <AccountRow key={account.name} account={account} onManage={onManage} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface AccountRowProps extends Pick<AccountTableProps, 'onManage'> {
  readonly account: Account
}

function AccountRow({ account, onManage }: AccountRowProps) {
  const { name, role, disabled, last_sign_in_at, sessions, keys, passkeys } = account
  return (
    <tr>
      <td class="name">
        {name} {disabled && <span class="tag tag-warn">disabled</span>}
      </td>
      <td>{role}</td>
      <td class="roomy">{last_sign_in_at === null ? 'never' : dayTimeText(last_sign_in_at)}</td>
      <td class="roomy number">{sessions}</td>
      <td class="roomy number">{keys}</td>
      <td class="roomy number">{passkeys}</td>
      <td class="number">
        {onManage !== undefined && (
          <button
            type="button"
            class="button button-small"
            aria-label={`Manage ${name}`}
            onClick={() => onManage(account)}
          >
            Manage
          </button>
        )}
      </td>
    </tr>
  )
}
