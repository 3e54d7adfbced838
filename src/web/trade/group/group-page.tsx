import { useEffect } from 'preact/hooks'
import type { EventGroup } from '../../../client/shapes.js'
import { nameText } from '../../kit/name-text.js'
import { setTitle } from '../../kit/page-site.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/groups.js'
import { HouseChip } from '../market/house-chip.jsx'
import { MarketPicture } from '../markets/market-picture.jsx'
import { PayoutChip } from '../markets/payout-chip.jsx'
import { chanceIn } from './group-chance.js'
import { GroupChart } from './group-chart.jsx'
import { OutcomesTable } from './outcomes-table.jsx'
import { ReleaseStrip } from './release-strip.jsx'
import { useGroup } from './use-group.js'

/** A question with several outcomes: their prices, the own contracts, and what can be released. */
export function GroupPage({ code }: { readonly code: string }) {
  const { group, position, fault, again } = useGroup(code)
  useEffect(() => {
    if (group !== undefined) setTitle(group.title)
  }, [group?.title])
  if (group === undefined) {
    if (fault !== '') return <Failed why={fault} />
    return (
      <p class="empty" aria-busy="true">
        {t.loading}
      </p>
    )
  }
  const { title, description, category, payout, kind, house_quotes } = group
  return (
    <div class="group">
      <header class="group-head">
        <MarketPicture market={{ image: null, category, title }} />
        <div>
          <h1>{title}</h1>
          <p class="market-facts">
            {category !== null && <span class="tag">{category}</span>}
            <PayoutChip payout={payout} />
            {house_quotes !== undefined && <HouseChip quotes={house_quotes} />}
            <span>{t.kinds[kind]}</span>
            <Ending group={group} />
          </p>
        </div>
      </header>
      <GroupChart group={group} />
      {position !== undefined && <ReleaseStrip group={group} position={position} onDone={again} />}
      <OutcomesTable group={group} position={position} />
      <section class="card" aria-labelledby="group-rules">
        <h2 id="group-rules">{t.rules}</h2>
        <p class="card-body group-rules">{description}</p>
      </section>
    </div>
  )
}

function Failed({ why }: { readonly why: string }) {
  return (
    <section class="card welcome">
      <h1>{why}</h1>
      <p class="soft">
        <a href="/">{t.seeAll}</a>
      </p>
    </section>
  )
}

/** The result of a group; until there is one, when it closes. */
function Ending({ group }: { readonly group: EventGroup }) {
  const { outcomes, winner, kind, end_date } = group
  if (winner === 'void') return <b>{t.isVoid}</b>
  if (winner !== null) return <b>{t.won(nameText(labelIn(outcomes, winner)))}</b>
  return (
    <>
      <span>{t.closes(dayTimeText(end_date))}</span>
      {kind === 'exclusive' && <Sum group={group} />}
    </>
  )
}

const labelIn = (outcomes: EventGroup['outcomes'], code: string) =>
  outcomes.find(({ event_id }) => event_id === code)?.label ?? code

/** The chances of all outcomes together: above 100 % they cost more than one of them pays. */
function Sum({ group }: { readonly group: EventGroup }) {
  const chances = group.outcomes.map(outcome => chanceIn(group, outcome))
  if (chances.some(chance => chance === undefined)) return null
  const sum = chances.reduce((total: number, chance) => total + (chance ?? 0), 0)
  return <span>{t.sum(`${Math.round(sum * 100)}%`)}</span>
}
