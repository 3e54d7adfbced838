import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { EventGroup, MarketStatus } from '../../../client/client.js'
import { countText } from '../../kit/number-texts.js'
import { siteName } from '../../kit/page-site.js'
import { sorted, sortingIn } from '../../kit/sorting.js'
import type { Column } from '../../kit/table.jsx'
import { dayTimeText } from '../../kit/time-texts.js'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-groups.js'
import { clients } from '../admin-clients.js'
import { StatusTag } from '../events/event-standing.jsx'
import { useAddressed } from '../lists/addressed.js'
import { CsvButton } from '../lists/csv-button.jsx'
import { DataTable } from '../lists/data-table.jsx'
import { ListCard } from '../lists/list-page.jsx'
import { usePolled } from '../polling.js'
import { SearchField } from '../search-field.jsx'

const POLL_PAUSE_MS = 10_000
const GROUPS_MAX = 1000
const ROWS_STEP = 100
/** Groups that wait for an operator come first. */
const RANK: readonly MarketStatus[] = [
  'closed',
  'halted',
  'resolved',
  'open',
  'scheduled',
  'settled',
  'voided',
]

const volumeOf = ({ outcomes }: EventGroup) => outcomes.reduce((sum, { volume }) => sum + volume, 0)
const liveOf = ({ outcomes }: EventGroup) => outcomes.filter(({ outcome }) => outcome === null).length

const COLUMNS: readonly Column<EventGroup>[] = [
  {
    ...{ id: 'title', label: t.group, kind: 'wide' },
    cell: group => <Title group={group} />,
    csv: ({ title }) => title,
    sortBy: ({ title }) => title.toLowerCase(),
  },
  {
    ...{ id: 'status', label: t.status },
    cell: ({ status }) => <StatusTag market={{ status, outcome: null }} />,
    csv: ({ status }) => status,
    sortBy: ({ status }) => RANK.indexOf(status),
  },
  {
    ...{ id: 'kind', label: t.kind, isRoomy: true },
    cell: ({ kind }) => t.kinds[kind],
    csv: ({ kind }) => kind,
    sortBy: ({ kind }) => kind,
  },
  {
    ...{ id: 'outcomes', label: t.outcomes, kind: 'number' },
    cell: ({ outcomes }) => countText(outcomes.length),
    csv: ({ outcomes }) => outcomes.length,
    sortBy: ({ outcomes }) => outcomes.length,
  },
  {
    ...{ id: 'volume', label: t.columns.volume, kind: 'number', isRoomy: true },
    cell: group => countText(volumeOf(group), 'scarce'),
    csv: volumeOf,
    sortBy: volumeOf,
  },
  {
    ...{ id: 'ends', label: t.columns.ends, kind: 'when', isRoomy: true },
    cell: ({ end_date }) => dayTimeText(end_date),
    csv: ({ end_date }) => end_date,
    sortBy: ({ end_date }) => Date.parse(end_date),
  },
]

/** All groups: those that wait for an operator first, or as sorted. */
export function GroupsPage() {
  const [query, sorting] = [useAddressed('q'), useAddressed('sort', 'status')]
  const limit = useSignal(ROWS_STEP)
  const load = () => clients.asking.groups.fetchGroups({ limit: GROUPS_MAX })
  const { value: groups } = usePolled(load, POLL_PAUSE_MS)
  useEffect(() => {
    document.title = frame.title(t.groups, siteName)
  }, [])
  const words = query.value.trim().toLowerCase().split(/\s+/)
  const isWanted = ({ title, code, category }: EventGroup) => {
    const text = `${title} ${code} ${category ?? ''}`.toLowerCase()
    return words.every(word => text.includes(word))
  }
  const found = groups && sorted(groups.filter(isWanted), COLUMNS, sortingIn(sorting.value))
  if (groups?.length === 0) return <NoGroups />
  return (
    <>
      <div class="page-head">
        <h1>{t.groups}</h1>
        <a class="button button-main" href="/admin/groups/new">
          {t.newGroup}
        </a>
      </div>
      <search class="filters">
        <SearchField label={t.searchGroups} hint={t.searchHint} query={query} />
        <CsvButton name="groups" columns={COLUMNS} load={() => Promise.resolve(found ?? [])} />
      </search>
      <ListCard
        name={t.groups}
        count={found && Math.min(found.length, limit.value)}
        empty={t.noMatch}
        limit={limit}
        step={ROWS_STEP}
      >
        <DataTable
          columns={COLUMNS}
          rows={found?.slice(0, limit.value) ?? []}
          keyOf={({ code }) => code}
          sorting={sorting}
        />
      </ListCard>
    </>
  )
}

function Title({ group }: { readonly group: EventGroup }) {
  const { code, title, category, outcomes } = group
  const live = liveOf(group)
  return (
    <>
      <a class="event-link" href={`/admin/groups/${code}`}>
        {title}
      </a>
      <small>
        {code}
        {category !== null && ` · ${category}`}
        {live > 0 && live < outcomes.length && ` · ${t.resultsDue(live, outcomes.length)}`}
      </small>
    </>
  )
}

function NoGroups() {
  return (
    <section class="card gate">
      <h1>{t.none}</h1>
      <p class="soft">{t.noneAbout}</p>
      <p>
        <a class="button button-main" href="/admin/groups/new">
          {t.newGroup}
        </a>
      </p>
    </section>
  )
}
