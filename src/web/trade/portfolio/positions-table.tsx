import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Position } from '../../../client/shapes.js'
import { nowMs } from '../../kit/browser-clock.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { saveCsv } from '../../kit/save-csv.js'
import { t } from '../../texts/portfolio.js'
import { account } from '../account.js'
import { MarketLink } from '../market-link.jsx'
import { fetchTerms, termsOf, titleOf } from '../titles.js'
import { lastPriceOf, useLivePrices } from './live-prices.js'
import type { Column } from './lists/list.js'
import type { Sorting } from './lists/list-order.js'
import { sorted } from './lists/list-order.js'
import { Gain } from './lists/list-sum.jsx'
import { columnClass, SortHead } from './lists/list-table.jsx'
import { sheetTime } from './zone-days.js'

const COLUMNS: readonly Column<Position>[] = [
  {
    key: 'market',
    head: t.market,
    sortBy: ({ event_id }) => titleOf(event_id),
    cell: ({ event_id }) => <MarketLink eventId={event_id} />,
  },
  { key: 'contracts', head: t.contracts, sortBy: ({ yes, no }) => yes + no, cell: contractsCell },
  {
    key: 'average',
    head: t.averagePrice,
    isNumber: true,
    isRoomy: true,
    sortBy: position => valuedOf(position)?.average_price ?? 0,
    cell: position => rupeesOrDash(valuedOf(position)?.average_price),
  },
  {
    key: 'value',
    head: t.value,
    isNumber: true,
    isRoomy: true,
    sortBy: position => marketValueOf(position) ?? 0,
    cell: position => rupeesOrDash(marketValueOf(position)),
  },
  {
    key: 'unrealised',
    head: t.unrealised,
    isNumber: true,
    sortBy: position => valuedOf(position)?.unrealised ?? 0,
    cell: unrealisedCell,
  },
  {
    key: 'realised',
    head: t.realised,
    isNumber: true,
    isRoomy: true,
    sortBy: position => valuedOf(position)?.realised ?? 0,
    cell: position => gainOrDash(valuedOf(position)?.realised),
  },
]

/** The user’s positions, sorted by any column: value, average price, unrealised and realised P&L. */
export function PositionsTable({ name }: { readonly name: string }) {
  const sorting = useSignal<Sorting>({ key: 'value', isDown: true })
  const positions = (account.value.positions ?? []).filter(({ yes, no }) => yes > 0 || no > 0)
  const areAnswered = useAnswers(positions)
  useLivePrices(positions.map(({ event_id }) => event_id))
  if (positions.length === 0) {
    return (
      <p class="empty">
        {t.noPositions} <a href="/">{t.findMarket}</a>
      </p>
    )
  }
  if (!areAnswered) return <p class="empty">{t.loading}</p>
  const column = COLUMNS.find(({ key }) => key === sorting.value.key)
  const rows = column ? sorted(positions, column.sortBy, sorting.value.isDown) : positions
  return (
    <>
      <div class="list-controls">
        <button type="button" class="button button-small" onClick={() => savePositions(name, rows)}>
          {t.downloadCsv}
        </button>
      </div>
      <div class="table-frame">
        <table class="table list-table">
          <thead>
            <tr>
              {COLUMNS.map(one => (
                <SortHead
                  key={one.key}
                  column={one}
                  sorting={sorting.value}
                  onSort={next => {
                    sorting.value = next
                  }}
                />
              ))}
              <th scope="col">
                <span class="unseen">{t.exit}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(position => (
              <tr key={position.event_id}>
                {COLUMNS.map(column => (
                  <td key={column.key} class={columnClass(column)}>
                    {column.cell(position)}
                  </td>
                ))}
                <td class="number">
                  <ExitLink position={position} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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

function savePositions(name: string, positions: readonly Position[]): void {
  const head = [
    t.event,
    t.market,
    t.yesContracts,
    t.noContracts,
    t.averagePrice,
    t.valueRupees,
    t.unrealisedRupees,
    t.realisedRupees,
  ]
  const lines = positions.map(position => {
    const { event_id, yes, no } = position
    const { average_price = null, unrealised = null, realised = null } = valuedOf(position) ?? {}
    return [
      event_id,
      titleOf(event_id),
      yes,
      no,
      average_price,
      marketValueOf(position) ?? null,
      unrealised,
      realised,
    ]
  })
  saveCsv(`raay-${name}-positions-${sheetTime(nowMs()).slice(0, 10)}.csv`, [head, ...lines])
}

/** Profit or loss, and on narrow screens the value below it. */
function unrealisedCell(position: Position) {
  return (
    <>
      {gainOrDash(valuedOf(position)?.unrealised)}
      <small class="narrow-only">{rupeesOrDash(marketValueOf(position))}</small>
    </>
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
