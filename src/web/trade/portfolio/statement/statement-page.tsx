import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Performance, Settlement } from '../../../../client/shapes.js'
import { nowMs } from '../../../kit/browser-clock.js'
import { errorText } from '../../../kit/error-text.js'
import { siteName } from '../../../kit/page-site.js'
import { dayTimeText, zoneText } from '../../../kit/time-texts.js'
import { locale, timeZone } from '../../../texts/language.js'
import { t } from '../../../texts/portfolio.js'
import { account } from '../../account.js'
import { exchange } from '../../exchange-client.js'
import { daysBefore } from '../../../kit/zone-days.js'
import { rangeOf, statementOf, yearsUntil } from './statement.js'
import { SettledInYear, StatementSums } from './statement-sums.jsx'

const DAY = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'long', year: 'numeric' })
/** Settlements of a year at most; the API has the rest. */
const SETTLEMENTS_MAX = 10_000

interface Loaded {
  readonly year: number
  readonly performance: Performance
  readonly settlements: readonly Settlement[]
}

/** A statement of one financial year, to read and to print. */
export function StatementPage({ name }: { readonly name: string }) {
  const now = nowMs()
  const years = yearsUntil(now)
  const year = useSignal(yearIn(location.search, years))
  const { loaded, fault, isEmpty } = useYear(name, year.value)
  const { from, to } = rangeOf(year.value, now)
  const isPresent = year.value === years[0]
  return (
    <section class="card statement" aria-labelledby="statement-title">
      <div class="card-head">
        <div>
          <h2 id="statement-title">{t.statementOf(`${year.value}–${String(year.value + 1).slice(2)}`)}</h2>
          <p class="soft">
            {siteName} · {name} · {t.fromTo(DAY.format(from), DAY.format(isPresent ? to : daysBefore(to, 1)))}
          </p>
        </div>
        <div class="statement-act">
          <select
            class="field"
            aria-label={t.financialYear}
            value={year.value}
            onChange={event => {
              year.value = Number(event.currentTarget.value)
              history.replaceState(null, '', `${location.pathname}?year=${year.value}`)
            }}
          >
            {years.map(choice => (
              <option key={choice} value={choice}>
                {t.financialYearOf(`${choice}–${String(choice + 1).slice(2)}`)}
              </option>
            ))}
          </select>
          <button type="button" class="button" onClick={() => print()}>
            {t.print}
          </button>
        </div>
      </div>
      {fault !== '' && <p class="empty fault">{fault}</p>}
      <Body loaded={loaded} isEmpty={isEmpty} />
      <p class="statement-foot faint">{t.statementFoot(dayTimeText(now), zoneText(now))}</p>
    </section>
  )
}

function Body({ loaded, isEmpty }: { readonly loaded: Loaded | undefined; readonly isEmpty: boolean }) {
  if (isEmpty) return <p class="empty">{t.noTransactions}</p>
  if (loaded === undefined) return <p class="empty">{t.loading}</p>
  const statement = statementOf(loaded.performance)
  if (statement === undefined) return <p class="empty fault">{t.statementTooLong}</p>
  return (
    <>
      <StatementSums statement={statement} />
      <SettledInYear settlements={loaded.settlements} />
      {loaded.settlements.length === SETTLEMENTS_MAX && (
        <p class="list-sum faint">{t.newestLoaded(SETTLEMENTS_MAX)}</p>
      )}
    </>
  )
}

/** Loads the year of a user’s statement, again after each change of their cash. */
function useYear(name: string, year: number) {
  const loaded = useSignal<Loaded | undefined>(undefined)
  const fault = useSignal('')
  const { balance, positions } = account.value
  useEffect(() => {
    if (balance === undefined) return
    let isOver = false
    load(name, year).then(
      found => {
        if (!isOver) loaded.value = found
      },
      error => {
        if (!isOver) fault.value = errorText(error)
      },
    )
    return () => {
      isOver = true
    }
  }, [year, balance?.cash])
  return {
    loaded: loaded.value?.year === year ? loaded.value : undefined,
    fault: fault.value,
    isEmpty: balance === undefined && positions !== undefined,
  }
}

async function load(userid: string, year: number): Promise<Loaded> {
  const { from, to } = rangeOf(year, nowMs())
  const performance = await exchange.fetchPerformance({ userid, from, to, points: 2 })
  const settlements = await exchange.fetchSettlements({ userid, from, to, limit: SETTLEMENTS_MAX })
  return { year, performance, settlements: settlements.toReversed() }
}

function yearIn(search: string, years: readonly number[]): number {
  const wanted = Number(new URLSearchParams(search).get('year'))
  return years.find(year => year === wanted) ?? years[0] ?? wanted
}
