import type { ListedMarket } from '../../../../client/client.js'
import { secondClock } from '../../../kit/browser-clock.js'
import { timeLeftText } from '../../../kit/time-texts.js'
import { t as list } from '../../../texts/admin-list.js'
import { t as health } from '../../../texts/admin-health.js'
import { clients } from '../../admin-clients.js'
import { verdictOf } from '../../health/health-verdict.js'
import { usePolled } from '../../polling.js'
import { groupTitleOf } from './group-title.js'
import { decisionsAmong } from './decisions-among.js'

const POLL_PAUSE_MS = 15_000
const SHOWN_MAX = 5

/** Lists what needs a decision now: results, halted events, the health of the exchange. */
export function Decisions({ markets }: { readonly markets: readonly ListedMarket[] }) {
  const { value: state } = usePolled(() => clients.asking.operator.fetchHealth(), POLL_PAUSE_MS)
  const now = secondClock.value
  const verdict = state && verdictOf(state, now)
  const decisions = decisionsAmong(markets)
  const isCalm = decisions.length === 0 && (verdict === undefined || verdict.grade === 'good')
  return (
    <section class="card decisions" aria-labelledby="decisions-title">
      <h2 id="decisions-title">{isCalm ? list.decisions.none : list.decisions.title}</h2>
      {!isCalm && (
        <ul>
          {verdict !== undefined && verdict.concerns.length > 0 && (
            <li>
              <a href="/admin/health">{health.health}</a>
              <span class="soft">
                {verdict.concerns.map(([concern]) => health.concerns[concern]).join(' ')}
              </span>
            </li>
          )}
          {decisions.slice(0, SHOWN_MAX).map(market => (
            <li key={market.event_id}>
              {market.group === undefined ? (
                <a href={`/admin/event/${market.event_id}`}>{market.title}</a>
              ) : (
                <a href={`/admin/groups/${market.group}`}>{groupTitleOf(market)}</a>
              )}
              <span class="soft">
                {market.status === 'halted'
                  ? list.decisions.halted
                  : waitingText(now - Date.parse(market.end_date))}
              </span>
            </li>
          ))}
          {decisions.length > SHOWN_MAX && (
            <li class="soft">{list.decisions.more(decisions.length - SHOWN_MAX)}</li>
          )}
        </ul>
      )}
    </section>
  )
}

/** Says for how long a result has been due; an event that was closed early has no time of its own. */
function waitingText(sinceMs: number): string {
  return sinceMs < 0 ? list.decisions.closedEarly : list.decisions.closed(timeLeftText(sinceMs))
}
