import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ListedUser } from '../../../client/client.js'
import { exactSum } from '../../kit/exact-sum.js'
import { countText, gainTone, rupeesText } from '../../kit/number-texts.js'
import { siteName } from '../../kit/page-site.js'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-users.js'
import { clients } from '../admin-clients.js'
import { useAddressed } from '../lists/addressed.js'
import { CsvButton } from '../lists/csv-button.jsx'
import { DataTable } from '../lists/data-table.jsx'
import { FilterSelect } from '../lists/filter-fields.jsx'
import { ListCard } from '../lists/list-page.jsx'
import { sortingIn } from '../../kit/sorting.js'
import { usePolled } from '../polling.js'
import { SearchField } from '../search-field.jsx'
import { MoneyDialog } from './money-dialog.jsx'
import { PendingNotice } from './pending-notice.jsx'
import { userColumns } from './user-columns.jsx'

const POLL_PAUSE_MS = 4000
const USERS_STEP = 200
const ONLY = [
  ['', t.all],
  ['suspended', t.suspendedOnly],
  ['limited', t.limitedOnly],
] as const

/** All users and their balances: searched, sorted and filtered by the exchange. */
export function UsersPage() {
  const [query, only, sorting] = [useAddressed('q'), useAddressed('only'), useAddressed('sort', 'created')]
  const limit = useSignal(USERS_STEP)
  const load = (rows: number) =>
    clients.asking.operator.fetchUsers({ ...queryOf(query.value, only.value, sorting.value), limit: rows })
  const key = [query.value, only.value, sorting.value, limit.value].join(' ')
  const { value: users, again } = usePolled(() => load(limit.value), POLL_PAUSE_MS, key)
  const done = useSignal('')
  /** The user whose transfer form is open; empty when the operator types the name. */
  const paying = useSignal<string | undefined>(undefined)
  useEffect(() => {
    document.title = frame.title(t.users, siteName)
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
  const columns = userColumns(pay)
  const empty = query.value !== '' || only.value !== '' ? t.noMatch : t.noUsers
  return (
    <>
      <div class="page-head">
        <h1>{t.users}</h1>
        <button type="button" class="button button-main" onClick={() => pay('')}>
          {t.transfer}
        </button>
      </div>
      <PendingNotice onLook={() => pay('')} />
      <p class="gain done" role="status">
        {done.value}
      </p>
      <search class="filters">
        <SearchField label={t.search} hint={t.searchHint} query={query} />
        <FilterSelect label={t.show} value={only} options={ONLY} />
        <CsvButton name="users" columns={columns} load={load} />
      </search>
      <ListCard name={t.users} count={users?.length} empty={empty} limit={limit} step={USERS_STEP}>
        <DataTable
          columns={columns}
          rows={users ?? []}
          keyOf={({ userid }) => userid}
          sorting={sorting}
          foot={<Totals users={users ?? []} />}
        />
      </ListCard>
      {paying.value !== undefined && <MoneyDialog userid={paying.value} onEnd={end} />}
    </>
  )
}

type UserQuery = Parameters<typeof clients.asking.operator.fetchUsers>[0]

/** Returns the query of the exchange for the filters in the address; it ignores what it does not know. */
function queryOf(q: string, only: string, sorting: string): UserQuery {
  const { by, isDescending } = sortingIn(sorting)
  const money = ['cash', 'held', 'available'] as const
  const sorts = ['created', 'userid', ...money, 'profit', 'volume', 'last_seen'] as const
  return {
    figures: 'yes',
    q: q.trim() || undefined,
    only: only === 'suspended' || only === 'limited' ? only : undefined,
    sort: sorts.find(sort => sort === by),
    order: isDescending ? 'desc' : 'asc',
  }
}

function Totals({ users }: { readonly users: readonly ListedUser[] }) {
  const total = (of: 'cash' | 'held' | 'available') => rupeesText(exactSum(users, user => user[of]))
  const ofAll = (of: 'profit' | 'volume') => exactSum(users, ({ figures }) => figures?.[of] ?? 0)
  const profit = ofAll('profit')
  return (
    <tr>
      <th scope="row">{t.shown(countText(users.length))}</th>
      <td class="number">{total('cash')}</td>
      <td class="number roomy roomy-tablet">{total('held')}</td>
      <td class="number roomy">{total('available')}</td>
      <td class={`number roomy ${gainTone(profit)}`}>{rupeesText(profit, 'signed')}</td>
      <td class="number roomy">{rupeesText(ofAll('volume'))}</td>
      <td class="roomy" />
      <td />
    </tr>
  )
}
