import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { EventGroup, GroupOutcome, GroupPosition, HeldOutcome } from '../../../client/shapes.js'
import { Icon } from '../../kit/icons.jsx'
import { Later } from '../../kit/later.jsx'
import { LiveText } from '../../kit/live-text.jsx'
import { nameText } from '../../kit/name-text.js'
import { chanceText, countText, rupeesText } from '../../kit/number-texts.js'
import type { Column } from '../../kit/table.jsx'
import { Table } from '../../kit/table.jsx'
import { t } from '../../texts/groups.js'
import { DayChange } from '../markets/day-change.jsx'
import { chanceIn } from './group-chance.js'

/** Above this number of outcomes there is a search, and those with little chance are folded away. */
const MANY = 12
const LITTLE_CHANCE = 0.01

const outcomeBook = () => import('../market/market-page.jsx').then(({ OutcomeBook }) => OutcomeBook)

interface OutcomesProps {
  readonly group: EventGroup
  readonly position: GroupPosition | undefined
}

/** The outcomes with their prices, the likeliest first, and the own contracts. */
export function OutcomesTable({ group, position }: OutcomesProps) {
  const words = useSignal('')
  const showsAll = useSignal(false)
  /** The outcome whose order book is open. */
  const chosen = useSignal<string | undefined>(undefined)
  const isMany = group.outcomes.length > MANY
  const order = useRef<readonly string[]>([])
  // Rows keep their places below the finger while a book is open.
  if (chosen.value === undefined) order.current = byChance(group)
  const placeOf = ({ event_id }: GroupOutcome) => order.current.indexOf(event_id)
  const sorted = [...group.outcomes].sort((a, b) => placeOf(a) - placeOf(b))
  const wanted = words.value.trim().toLowerCase()
  const found = sorted.filter(({ label }) => nameText(label).toLowerCase().includes(wanted))
  const isFolded = isMany && !showsAll.value && wanted === ''
  const shown = isFolded ? found.filter(outcome => (chanceIn(group, outcome) ?? 0) >= LITTLE_CHANCE) : found
  return (
    <section class="card" aria-labelledby="outcomes-title">
      <div class="card-head">
        <h2 id="outcomes-title">{t.outcomes}</h2>
        {isMany && (
          <input
            type="search"
            class="field group-search"
            aria-label={t.search}
            placeholder={t.search}
            value={words.value}
            onInput={event => {
              words.value = event.currentTarget.value
            }}
          />
        )}
      </div>
      <Table
        class="group-table"
        columns={columnsOf(group, position, chosen)}
        rows={shown}
        keyOf={({ event_id }) => event_id}
        detail={({ event_id, outcome }) =>
          chosen.value === event_id && outcome === null ? (
            <Later key={event_id} load={outcomeBook} props={{ code: event_id }} isPage />
          ) : undefined
        }
      />
      {isFolded && shown.length < found.length && (
        <p class="list-end">
          <button
            type="button"
            class="button"
            onClick={() => {
              showsAll.value = true
            }}
          >
            {t.showLittle(found.length - shown.length)}
          </button>
        </p>
      )}
    </section>
  )
}

function byChance(group: EventGroup): readonly string[] {
  return [...group.outcomes]
    .sort((a, b) => (chanceIn(group, b) ?? 0) - (chanceIn(group, a) ?? 0))
    .map(({ event_id }) => event_id)
}

function columnsOf(
  group: EventGroup,
  position: GroupPosition | undefined,
  chosen: Signal<string | undefined>,
): readonly Column<GroupOutcome>[] {
  const { payout } = group
  const held = new Map(position?.outcomes.map(outcome => [outcome.event_id, outcome]))
  const isHolder = position?.outcomes.some(({ yes, no }) => yes + no > 0) === true
  const columns: Column<GroupOutcome>[] = [
    {
      ...{ id: 'outcome', label: t.outcome, kind: 'wide', isHead: true },
      cell: ({ event_id, label, outcome }) => (
        <>
          <span class="group-name">
            {outcome === null && <BookButton code={event_id} label={nameText(label)} chosen={chosen} />}
            <a class="group-title" href={`/market/${event_id}`}>
              {nameText(label)}
            </a>
          </span>
          <small class="group-own">{isHolder && ownText(held.get(event_id))}</small>
        </>
      ),
    },
    {
      ...{ id: 'chance', label: t.chance, kind: 'number' },
      cell: outcome =>
        outcome.outcome === 'no' ? (
          <span class="faint">{t.results.no}</span>
        ) : (
          <>
            <b>
              {resultText(outcome) ?? <LiveText text={chanceText(chanceIn(group, outcome), 'headline')} />}
            </b>
            <small class="group-own">{changeOf(outcome, payout)}</small>
          </>
        ),
    },
    {
      ...{ id: 'change', label: t.change, kind: 'number', isRoomy: true },
      cell: outcome => changeOf(outcome, payout),
    },
    {
      ...{ id: 'yes', label: t.yes, kind: 'number' },
      cell: ({ event_id, best_ask, outcome, status }) =>
        outcome === null && status === 'open' && <Quote code={event_id} side="yes" price={best_ask} />,
    },
    {
      ...{ id: 'no', label: t.no, kind: 'number' },
      cell: ({ event_id, best_bid, outcome, status }) =>
        outcome === null &&
        status === 'open' && (
          <Quote code={event_id} side="no" price={best_bid === null ? null : payout - best_bid} />
        ),
    },
    {
      ...{ id: 'volume', label: t.volume, kind: 'number', isRoomy: true },
      cell: ({ volume }) => countText(volume, 'scarce'),
    },
  ]
  if (!isHolder) return columns
  return [
    ...columns,
    {
      ...{ id: 'own', label: t.yours, kind: 'number', isRoomy: true },
      cell: ({ event_id }) => heldText(held.get(event_id)),
    },
    {
      ...{ id: 'pays', label: t.ifWins, kind: 'number', isRoomy: true },
      cell: ({ event_id }) => {
        const pays = held.get(event_id)?.pays
        return pays === undefined ? '' : rupeesText(pays)
      },
    },
  ]
}

/** The change in 24 hours while there is no result; phones show it below the chance. */
function changeOf(outcome: GroupOutcome, payout: number) {
  return outcome.outcome === null && <DayChange market={{ ...outcome, payout }} last={outcome.last_price} />
}

interface BookButtonProps {
  readonly code: string
  readonly label: string
  readonly chosen: Signal<string | undefined>
}

/** Opens the order book of an outcome, and closes that of another. */
function BookButton({ code, label, chosen }: BookButtonProps) {
  const isOpen = chosen.value === code
  return (
    <button
      type="button"
      class="group-book"
      aria-label={t.bookOf(label)}
      title={t.bookOf(label)}
      aria-expanded={isOpen}
      onClick={() => {
        chosen.value = isOpen ? undefined : code
      }}
    >
      <Icon shape="more" />
    </button>
  )
}

function Quote({
  code,
  side,
  price,
}: {
  readonly code: string
  readonly side: 'yes' | 'no'
  readonly price: number | null
}) {
  return (
    <a class={`quote quote-${side}`} href={`/market/${code}?outcome=${side}`}>
      <LiveText text={price === null ? '–' : rupeesText(price)} />
    </a>
  )
}

function heldText(held: { readonly yes: number; readonly no: number } | undefined): string {
  if (held === undefined) return ''
  const parts = [
    held.yes > 0 && t.held.yes(countText(held.yes)),
    held.no > 0 && t.held.no(countText(held.no)),
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Returns what is held of an outcome and what it pays: phones have no columns for that. */
function ownText(held: HeldOutcome | undefined): string {
  if (held === undefined) return ''
  return [heldText(held), t.getsIfWins(rupeesText(held.pays))].filter(Boolean).join(' · ')
}

function resultText({ outcome }: GroupOutcome): string | undefined {
  return outcome === null ? undefined : t.results[outcome]
}
