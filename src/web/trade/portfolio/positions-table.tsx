import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Position } from '../../../client/shapes.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import type { CsvColumn } from '../../../api/csv-file.js'
import { saveCsv } from '../../kit/save-csv.js'
import type { Sorting } from '../../kit/sorting.js'
import { sorted, sortingAfter } from '../../kit/sorting.js'
import type { Column } from '../../kit/table.jsx'
import { Table } from '../../kit/table.jsx'
import { t } from '../../texts/portfolio.js'
import { account } from '../account.js'
import { MarketLink } from '../market-link.jsx'
import { fetchTerms, termsOf, titleOf } from '../titles.js'
import { lastPriceOf, useLivePrices } from './live-prices.js'
import { Gain } from './lists/list-sum.jsx'

const COLUMNS: readonly Column<Position>[] = [
  {
    id: 'market',
    kind: 'wide',
    label: t.market,
    sortBy: ({ event_id }) => titleOf(event_id),
    cell: ({ event_id }) => <MarketLink eventId={event_id} />,
  },
  { id: 'contracts', label: t.contracts, sortBy: ({ yes, no }) => yes + no, cell: contractsCell },
  {
    id: 'average',
    label: t.averagePrice,
    kind: 'number',
    isRoomy: true,
    sortBy: position => valuedOf(position)?.average_price ?? 0,
    cell: position => rupeesOrDash(valuedOf(position)?.average_price),
  },
  {
    id: 'value',
    label: t.value,
    kind: 'number',
    isRoomy: true,
    sortBy: position => marketValueOf(position) ?? 0,
    cell: position => rupeesOrDash(marketValueOf(position)),
  },
  {
    id: 'unrealised',
    label: t.unrealised,
    kind: 'number',
    sortBy: position => valuedOf(position)?.unrealised ?? 0,
    cell: position => gainOrDash(valuedOf(position)?.unrealised),
  },
  {
    id: 'realised',
    label: t.realised,
    kind: 'number',
    isRoomy: true,
    sortBy: position => valuedOf(position)?.realised ?? 0,
    cell: position => gainOrDash(valuedOf(position)?.realised),
  },
  {
    ...{ id: 'exit', label: t.exit, isLabelUnseen: true, kind: 'number' },
    cell: position => <ExitLink position={position} />,
  },
]

/** The columns of the file. */
const SHEET: readonly CsvColumn<Position>[] = [
  [t.event, ({ event_id }) => event_id],
  [t.market, ({ event_id }) => titleOf(event_id)],
  [t.yesContracts, ({ yes }) => yes],
  [t.noContracts, ({ no }) => no],
  [t.averagePrice, position => valuedOf(position)?.average_price ?? null],
  [t.valueRupees, position => marketValueOf(position) ?? null],
  [t.unrealisedRupees, position => valuedOf(position)?.unrealised ?? null],
  [t.realisedRupees, position => valuedOf(position)?.realised ?? null],
]

/** The user’s positions, sorted by any column: value, average price, unrealised and realised P&L. */
export function PositionsTable({ name }: { readonly name: string }) {
  const sorting = useSignal<Sorting>({ by: 'value', isDescending: true })
  const known = account.value.positions
  const positions = (known ?? []).filter(({ yes, no }) => yes > 0 || no > 0)
  const areAnswered = useAnswers(positions)
  useLivePrices(positions.map(({ event_id }) => event_id))
  if (known === undefined || (positions.length > 0 && !areAnswered)) {
    return (
      <p class="empty" aria-busy="true">
        {t.loading}
      </p>
    )
  }
  if (positions.length === 0) {
    return (
      <p class="empty">
        {t.noPositions} <a href="/">{t.findMarket}</a>
      </p>
    )
  }
  const rows = sorted(positions, COLUMNS, sorting.value)
  return (
    <>
      <div class="list-controls">
        <button
          type="button"
          class="button button-small"
          onClick={() => saveCsv(`raay-${name}-positions`, SHEET, rows)}
        >
          {t.downloadCsv}
        </button>
      </div>
      <Table
        class="list-table"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ event_id }) => event_id}
        sorting={sorting.value}
        onSort={({ id }) => {
          sorting.value = sortingAfter(sorting.value, id, true)
        }}
      />
    </>
  )
}

/** Returns true once the events were asked for: before, rows would lack their titles and be in no order. */
function useAnswers(positions: readonly Position[]): boolean {
  const areHere = useSignal(false)
  const codes = positions.map(({ event_id }) => event_id)
  useEffect(() => {
    if (codes.length === 0) return
    void Promise.all(codes.map(fetchTerms)).then(() => {
      areHere.value = true
    })
  }, [codes.join()])
  return areHere.value
}

/** Leads to a sell order, or says why there can be none: contracts cannot be sold once trading has closed. */
function ExitLink({ position }: { readonly position: Position }) {
  const { event_id, yes } = position
  const status = termsOf(event_id)?.status
  if (status !== undefined && status !== 'open') return <span class="faint">{t.statuses[status]}</span>
  return (
    <a class="button button-small" href={`/market/${event_id}?exit=${yes > 0 ? 'yes' : 'no'}`}>
      {t.exit}
    </a>
  )
}

function contractsCell({ yes, no }: Position) {
  return (
    <>
      {yes > 0 && <span class="yes">{t.ofOutcome('yes', countText(yes))} </span>}
      {no > 0 && <span class="no">{t.ofOutcome('no', countText(no))}</span>}
    </>
  )
}

function valuedOf({ event_id }: Position) {
  return account.value.valued.get(event_id)
}

/** Returns what a position would bring at the last price; undefined while that is unknown. */
function marketValueOf({ event_id, yes, no }: Position): number | undefined {
  const payout = termsOf(event_id)?.payout
  const last = lastPriceOf(event_id)
  if (last === undefined || payout === undefined) return undefined
  return Math.round((yes * last + no * (payout - last)) * 10_000) / 10_000
}

function rupeesOrDash(rupees: number | null | undefined) {
  return rupees == null ? '–' : rupeesText(rupees)
}

function gainOrDash(rupees: number | null | undefined) {
  return rupees == null ? '–' : <Gain rupees={rupees} />
}
