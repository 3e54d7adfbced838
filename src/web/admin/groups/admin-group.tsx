import { useEffect } from 'preact/hooks'
import { FiguresLine } from '../../kit/figures-line.jsx'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { siteName } from '../../kit/page-site.js'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-groups.js'
import { clients } from '../admin-clients.js'
import { StatusTag } from '../events/event-standing.jsx'
import { movable } from '../events/list/bulk-moves.js'
import { HouseCard } from '../house/house-card.jsx'
import { usePolled } from '../polling.js'
import { GroupEdit } from './group-edit.jsx'
import { GroupLife } from './group-life.jsx'
import { GroupOutcomes } from './group-outcomes.jsx'
import type { GroupState } from './group-state.js'
import { GroupSettlement } from './settlement/group-settlement.jsx'

const POLL_PAUSE_MS = 3000

/** One group: its figures, status, outcomes, result and words. */
export function AdminGroup({ code }: { readonly code: string }) {
  const { value: state, error, again } = usePolled(() => load(code), POLL_PAUSE_MS, code)
  const title = state?.group.title
  useEffect(() => {
    document.title = frame.title(title ?? code, siteName)
  }, [title, code])
  if (state === undefined) {
    return error?.code === 404 ? <NoGroup code={code} /> : <p class="empty">{t.loading}</p>
  }
  const { group } = state
  return (
    <div class="stack">
      <div class="page-head">
        <div>
          <p class="event-facts">
            <StatusTag market={{ status: group.status, outcome: null }} />
            <span>{group.code}</span>
            {group.category !== null && <span>{group.category}</span>}
            <span>{t.kinds[group.kind]}</span>
          </p>
          <h1>{group.title}</h1>
        </div>
        <p class="page-moves">
          <a class="button" href={`/group/${code}`}>
            {t.view}
          </a>
        </p>
      </div>
      <Figures state={state} />
      <GroupLife group={group} onDone={again} />
      <GroupOutcomes state={state} />
      <HouseCard
        code={code}
        callsOf={client => client.groups.house}
        startPrice={undefined}
        takesOrders={movable(state.events, 'closeMarket').length > 0}
      />
      <GroupSettlement state={state} onDone={again} />
      <GroupEdit state={state} onDone={again} />
    </div>
  )
}

async function load(code: string): Promise<GroupState> {
  const { groups } = clients.asking
  const [group, money] = await Promise.all([groups.fetchGroup(code), groups.fetchMoney(code)])
  const event_ids = group.outcomes.map(({ event_id }) => event_id).join()
  const found = await clients.asking.fetchMarkets({
    ...{ event_ids, description: 'no' },
    limit: group.outcomes.length,
  })
  const events = group.outcomes.flatMap(
    ({ event_id }) => found.find(event => event.event_id === event_id) ?? [],
  )
  return { group, money, events }
}

function Figures({ state: { group, money, events } }: { readonly state: GroupState }) {
  const volume = events.reduce((sum, event) => sum + event.volume, 0)
  const live = group.outcomes.filter(({ outcome }) => outcome === null).length
  const figures: readonly (readonly [label: string, value: string])[] = [
    [t.outcomes, live === events.length ? countText(live) : t.liveOf(live, events.length)],
    [t.columns.volume, countText(volume, 'scarce')],
    [t.figures.escrow, rupeesText(money.escrow)],
    [t.figures.payout, rupeesText(money.payout)],
    [t.figures.fees, rupeesText(money.fees)],
  ]
  return <FiguresLine class="card figures-five" figures={figures} />
}

function NoGroup({ code }: { readonly code: string }) {
  return (
    <section class="card gate">
      <h1>{t.noGroup(code)}</h1>
      <p>
        <a href="/admin/groups">{t.allGroups}</a>
      </p>
    </section>
  )
}
