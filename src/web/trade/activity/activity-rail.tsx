import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Taking } from '../../../client/shapes.js'
import { secondClock } from '../../kit/browser-clock.js'
import { Avatar } from '../../kit/avatar.jsx'
import { wholeRupeesText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { outcomeFirst } from '../../kit/name-text.js'
import { t } from '../../texts/people.js'
import { exchange } from '../exchange-client.js'
import { agoText } from '../people/figure-texts.js'
import { PeopleLink } from '../people/people-link.jsx'

const REFRESH_MS = 5000
const SHOWN_MAX = 3
const MINUTE_MS = 60_000
/** In rupees: paise of larger amounts say nothing. */
const PAISE_BELOW = 10

interface ActivityRailProps {
  /** Shows only this event. */
  readonly code?: string | undefined
}

/** The last answer, and the event that it is about. */
const known = signal<{ readonly code: string | undefined; readonly takings: readonly Taking[] } | undefined>(
  undefined,
)

/** The latest trades of people, newest first; asked for again while the page is looked at. */
export function ActivityRail({ code }: ActivityRailProps) {
  useEffect(() => {
    let isOver = false
    const load = () => {
      if (document.hidden) return
      exchange.site.fetchActivity({ event_id: code }).then(
        takings => {
          if (!isOver) known.value = { code, takings: takings.slice(0, SHOWN_MAX) }
        },
        // What is shown stays; the next round tries again.
        () => {},
      )
    }
    load()
    const timer = setInterval(load, REFRESH_MS)
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [code])
  if (known.value === undefined || known.value.code !== code) return null
  const { takings } = known.value
  if (takings.length === 0) return <p class="faint">{t.noActivity}</p>
  return (
    <ol class="activity-list">
      {takings.map(taking => (
        <Line key={taking.number} taking={taking} isTitled={code === undefined} />
      ))}
    </ol>
  )
}

interface LineProps {
  readonly taking: Taking
  readonly isTitled: boolean
}

function Line({ taking, isTitled }: LineProps) {
  const { userid, outcome, offer_type, amount, ts, event_id, title } = taking
  return (
    <li class="live-text is-new">
      <Avatar name={userid ?? '?'} />
      <span class="activity-words">
        <span>
          {userid === null ? <b>{t.someone}</b> : <PeopleLink name={userid} />}{' '}
          <span class={outcome}>
            {t.traded(
              offer_type,
              wholeRupeesText(amount < PAISE_BELOW ? amount : Math.round(amount)),
              outcome,
            )}
          </span>{' '}
          <time class="faint" dateTime={ts} title={dayTimeText(ts)}>
            {sinceText(ts)}
          </time>
        </span>
        {isTitled && (
          <a class="activity-title soft" href={`/market/${event_id}`}>
            {outcomeFirst(title)}
          </a>
        )}
      </span>
    </li>
  )
}

/** `12 s ago`; from a minute on, as everywhere. */
function sinceText(ts: string): string {
  const ms = secondClock.value - Date.parse(ts)
  return ms < MINUTE_MS ? t.secondsAgo(Math.max(0, Math.floor(ms / 1000))) : agoText(ts, secondClock.value)
}
