import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Account } from '../../../api/auth/auth-shape.js'
import { authSession } from '../../auth/auth-session.js'
import { siteName } from '../../kit/page-site.js'
import { t } from '../../texts/admin-access.js'
import { t as frame } from '../../texts/admin-frame.js'
import { useAddressed } from '../lists/addressed.js'
import { CsvButton } from '../lists/csv-button.jsx'
import { DataTable } from '../lists/data-table.jsx'
import { FilterSelect } from '../lists/filter-fields.jsx'
import { ListCard } from '../lists/list-page.jsx'
import { sorted, sortingIn } from '../../kit/sorting.js'
import { usePolled } from '../polling.js'
import { SearchField } from '../search-field.jsx'
import { fetchList, ROLES } from './access-requests.js'
import { accountColumns } from './account-columns.jsx'
import { AccountDialog } from './account-dialog.jsx'
import { InvitationsCard } from './invitations-card.jsx'
import { InviteDialog } from './invite-dialog.jsx'
import { OperatorSessionsCard } from './operator-sessions-card.jsx'

const POLL_PAUSE_MS = 4000
const ROWS_STEP = 200
const ROLE_OPTIONS = [['', t.allRoles], ...ROLES.map(role => [role, t.roleNames[role]] as const)] as const
const STATE_OPTIONS = [
  ['', t.allStates],
  ['enabled', t.enabled],
  ['disabled', t.disabled],
] as const

/** All accounts, or why this exchange has none. */
export function AccountsPage() {
  useEffect(() => {
    document.title = frame.title(t.accounts, siteName)
  }, [])
  const { mode } = authSession.value ?? {}
  if (mode === undefined || mode === 'accounts') return <AllAccounts />
  return (
    <>
      <div class="page-head">
        <h1>{t.accounts}</h1>
      </div>
      <p class="card empty">
        {t.otherMode(mode)} <a href="/docs/guides/access#three-modes">{t.aboutModes}</a>
      </p>
    </>
  )
}

/** All accounts: their roles and credentials; admins invite, change and recover them. */
function AllAccounts() {
  const [query, role] = [useAddressed('q'), useAddressed('role')]
  const [state, sorting] = [useAddressed('state'), useAddressed('sort', 'name')]
  const limit = useSignal(ROWS_STEP)
  const isInviting = useSignal(false)
  const managed = useSignal<Account | undefined>(undefined)
  const asked = {
    q: query.value.trim() || undefined,
    role: ROLES.find(known => known === role.value),
    state: ['enabled', 'disabled'].find(known => known === state.value),
  }
  const load = (rows: number) => fetchList<Account>('users', asked, rows)
  const key = JSON.stringify([asked, limit.value])
  const { value: accounts, again } = usePolled(() => load(limit.value), POLL_PAUSE_MS, key)
  const rounds = useSignal(0)
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
  const columns = accountColumns(isAdmin ? manage : undefined)
  const empty = Object.values(asked).some(value => value !== undefined) ? t.noMatch : t.noAccounts
  return (
    <>
      <Head isAdmin={isAdmin} onInvite={invite} />
      <search class="filters">
        <SearchField label={t.search} hint={t.searchHint} query={query} />
        <FilterSelect label={t.role} value={role} options={ROLE_OPTIONS} />
        <FilterSelect label={t.state} value={state} options={STATE_OPTIONS} />
        <CsvButton name="accounts" columns={columns} load={load} />
      </search>
      <ListCard name={t.accounts} count={accounts?.length} empty={empty} limit={limit} step={ROWS_STEP}>
        <DataTable
          columns={columns}
          rows={sorted(accounts ?? [], columns, sortingIn(sorting.value))}
          keyOf={({ name }) => name}
          sorting={sorting}
        />
      </ListCard>
      {isAdmin && <InvitationsCard key={rounds.value} />}
      {isAdmin && <OperatorSessionsCard />}
      {isInviting.value && <InviteDialog onEnd={end} />}
      {managed.value !== undefined && <AccountDialog account={managed.value} onEnd={end} />}
    </>
  )
}

function Head({ isAdmin, onInvite }: { readonly isAdmin: boolean; readonly onInvite: () => void }) {
  return (
    <div class="page-head">
      <h1>{t.accounts}</h1>
      {isAdmin ? (
        <button type="button" class="button button-main" onClick={onInvite}>
          {t.invite}
        </button>
      ) : (
        <p class="faint">{t.adminsChange}</p>
      )}
    </div>
  )
}
