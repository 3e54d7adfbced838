import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { EventGroup, GroupOutcome } from '../../../client/shapes.js'
import { nameText } from '../../kit/name-text.js'
import { chanceText, countText, rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/groups.js'
import { t as markets } from '../../texts/markets.js'
import { exchange } from '../exchange-client.js'
import { TimeLeft } from '../market-time.jsx'
import { DayChange } from '../markets/day-change.jsx'
import { MarketPicture } from '../markets/market-picture.jsx'
import { PayoutChip } from '../markets/payout-chip.jsx'
import { chanceIn } from './group-chance.js'

const CARDS_MAX = 12
const OUTCOMES_SHOWN = 3
const REFRESH_MS = 10_000

/** The first groups of a list as cards, with the outcomes that are most likely. */
export function GroupCards({ codes }: { readonly codes: readonly string[] }) {
  const asked = codes.slice(0, CARDS_MAX).join()
  const groups = useSignal<readonly EventGroup[]>([])
  useEffect(() => {
    let isOver = false
    const load = async () => {
      if (document.hidden && groups.peek().length > 0) return
      const found = await Promise.all(
        asked.split(',').map(code => exchange.groups.fetchGroup(code).catch(() => undefined)),
      )
      if (!isOver) groups.value = found.filter(group => group !== undefined)
    }
    void load()
    const timer = setInterval(() => void load(), REFRESH_MS)
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [asked])
  return (
    <ul class="group-cards" aria-label={t.groups}>
      {groups.value.map(group => (
        <Card key={group.code} group={group} />
      ))}
    </ul>
  )
}

function Card({ group }: { readonly group: EventGroup }) {
  const { code, title, category, payout, createdAt, outcomes } = group
  const sorted = [...outcomes].sort((a, b) => (chanceIn(group, b) ?? 0) - (chanceIn(group, a) ?? 0))
  const left = outcomes.length - OUTCOMES_SHOWN
  return (
    <li class="card group-card">
      <div class="market-head">
        <MarketPicture market={{ image: null, category, title }} />
        <div class="market-name-room">
          <a class="group-title" href={`/group/${code}`}>
            {title}
          </a>
          <p class="market-facts">
            {category !== null && <span class="tag">{category}</span>}
            <PayoutChip payout={payout} />
            <TimeLeft market={{ ...group, start_date: createdAt }} />
            <span title={markets.volumeTodayHint}>
              {markets.volumeToday(countText(volumeOf(outcomes), 'scarce'))}
            </span>
          </p>
        </div>
      </div>
      <ol>
        {sorted.slice(0, OUTCOMES_SHOWN).map(outcome => {
          const chance = chanceIn(group, outcome)
          return (
            <li key={outcome.event_id}>
              <a class="group-label" href={`/market/${outcome.event_id}`}>
                {nameText(outcome.label)}
              </a>
              <progress max={1} value={chance ?? 0} aria-hidden="true" />
              <b>
                {chanceText(chance, 'headline')}
                <DayChange market={{ ...outcome, payout }} last={outcome.last_price} />
              </b>
              <a class="quote quote-yes" href={`/market/${outcome.event_id}?outcome=yes`}>
                <small>{t.yes}</small> {outcome.best_ask === null ? '–' : rupeesText(outcome.best_ask)}
              </a>
            </li>
          )
        })}
      </ol>
      {left > 0 && (
        <p>
          <a class="soft" href={`/group/${code}`}>
            {t.more(left)}
          </a>
        </p>
      )}
    </li>
  )
}

function volumeOf(outcomes: readonly GroupOutcome[]): number {
  return outcomes.reduce((sum, { volume_24h }) => sum + volume_24h, 0)
}
