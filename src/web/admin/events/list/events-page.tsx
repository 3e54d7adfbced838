import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ListedMarket } from '../../../../client/client.js'
import { saveCsv } from '../../../kit/save-csv.js'
import { countText, rupeesText } from '../../../kit/number-texts.js'
import { siteName } from '../../../kit/page-site.js'
import { t } from '../../../texts/admin-events.js'
import { t as health } from '../../../texts/admin-health.js'
import { clients } from '../../admin-clients.js'
import { MoreButton } from '../../more-button.jsx'
import { usePolled } from '../../polling.js'
import { SearchField } from '../../search-field.jsx'
import { BulkBar } from './bulk-bar.jsx'
import { addressOf, choiceIn } from './choice-address.js'
import { Decisions } from './decisions.jsx'
import type { EventChoice, EventGroup } from './event-choice.js'
import { chooseEvents, countGroups, GROUPS } from './event-choice.js'
import { escrowOf, EVENT_SHEET } from './event-columns.js'
import { EventTable } from './event-table.jsx'

const POLL_PAUSE_MS = 3000
const MARKETS_MAX = 10_000
const ROWS_STEP = 100

/** All events: those that need a result first, or as sorted; the address remembers what is shown. */
export function EventsPage() {
  const { value: markets } = usePolled(
    () => clients.asking.fetchMarkets({ description: 'no', limit: MARKETS_MAX }),
    POLL_PAUSE_MS,
  )
  const choice = useSignal<EventChoice>(choiceIn(location.search))
  const query = useSignal(choice.value.query)
  const shownMax = useSignal(ROWS_STEP)
  const picked = useSignal<ReadonlySet<string>>(new Set())
  const choose = (change: Partial<EventChoice>) => {
    choice.value = { ...choice.peek(), ...change }
    history.replaceState(null, '', location.pathname + addressOf(choice.peek()))
  }
  useEffect(() => {
    document.title = t.pageTitle(t.events, siteName)
  }, [])
  useEffect(() => choose({ query: query.value }), [query.value])
  if (markets?.length === 0) return <FirstSteps />
  const chosen = chooseEvents(markets ?? [], choice.value)
  return (
    <>
      <Head />
      {markets !== undefined && <Decisions markets={markets} />}
      <search class="filters">
        <Groups markets={markets ?? []} group={choice.value.group} onPick={group => choose({ group })} />
        <SearchField label={t.searchLabel} hint={t.searchHint} query={query} />
        <CategoryFilter
          markets={markets ?? []}
          category={choice.value.category}
          onPick={category => choose({ category })}
        />
      </search>
      <BulkBar markets={chosen} picked={picked} />
      <section class="card" aria-label={t.events} aria-busy={markets === undefined}>
        {markets === undefined && <p class="empty">{t.loadingEvents}</p>}
        {markets !== undefined && chosen.length === 0 && <p class="empty">{t.noEventsMatch}</p>}
        {chosen.length > 0 && (
          <EventTable
            markets={chosen.slice(0, shownMax.value)}
            choice={choice.value}
            picked={picked}
            onSort={(sort, isDescending) => choose({ sort, isDescending })}
          />
        )}
      </section>
      {chosen.length > shownMax.value && (
        <MoreButton words={t.showMore(countText(chosen.length))} limit={shownMax} step={ROWS_STEP} />
      )}
      {chosen.length > 0 && <Totals markets={chosen} />}
    </>
  )
}

function Head() {
  return (
    <div class="page-head">
      <h1>{t.events}</h1>
      <p class="page-moves">
        <a class="button" href="/admin/health#announcement-title">
          {health.announcement}
        </a>
        <a class="button" href="/admin/bulk">
          {t.createFromCsv}
        </a>
        <a class="button button-main" href="/admin/new">
          {t.newEvent}
        </a>
      </p>
    </div>
  )
}

interface GroupsProps {
  readonly markets: readonly ListedMarket[]
  readonly group: EventGroup
  readonly onPick: (group: EventGroup) => void
}

function Groups({ markets, group, onPick }: GroupsProps) {
  const counts = countGroups(markets)
  return (
    <fieldset class="chips">
      <legend class="unseen">{t.columns.status}</legend>
      {(Object.keys(GROUPS) as EventGroup[]).map(name => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-pressed={group === name}
          onClick={() => onPick(name)}
        >
          {GROUPS[name][0]} <span class="chip-count">{countText(counts[name])}</span>
        </button>
      ))}
    </fieldset>
  )
}

interface CategoryFilterProps {
  readonly markets: readonly ListedMarket[]
  readonly category: string
  readonly onPick: (category: string) => void
}

function CategoryFilter({ markets, category, onPick }: CategoryFilterProps) {
  const known = [...new Set(markets.flatMap(market => market.category ?? []))].sort()
  if (known.length === 0) return null
  return (
    <select
      class="field"
      aria-label={t.fields.category}
      value={category}
      onChange={event => onPick(event.currentTarget.value)}
    >
      <option value="">{t.allCategories}</option>
      {known.map(name => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** Sums up the escrow of the events shown, and offers their rows as a file. */
function Totals({ markets }: { readonly markets: readonly ListedMarket[] }) {
  const escrow = markets.reduce((sum, market) => sum + escrowOf(market), 0)
  return (
    <p class="list-foot">
      <span>{t.escrowInAll(rupeesText(escrow), countText(markets.length))}</span>
      <button
        type="button"
        class="button button-small"
        onClick={() => saveCsv('events', EVENT_SHEET, markets)}
      >
        {t.downloadCsv}
      </button>
    </p>
  )
}

/** Shown while there are no events: the operator’s first steps. */
function FirstSteps() {
  return (
    <section class="card gate">
      <h1>{t.first.title}</h1>
      <p class="soft">{t.first.what}</p>
      <ol>
        <li>{t.first.write}</li>
        <li>
          {t.first.trade} <a href="/">{t.first.tradingPages}</a>
        </li>
        <li>{t.first.resolve}</li>
      </ol>
      <p>
        <a class="button button-main" href="/admin/new">
          {t.first.title}
        </a>
      </p>
    </section>
  )
}
