import type { ListedMarket } from '../../../../client/client.js'
import type { CsvColumn } from '../../../../api/csv-file.js'
import { countText, rupeesText } from '../../../kit/number-texts.js'
import { t } from '../../../texts/admin-events.js'

/** A column of the list by which it can be sorted. */
export interface EventColumn {
  readonly name: string
  readonly label: string
  readonly isNumber: boolean
  /** Returns the value that rows are sorted by. */
  readonly value: (market: ListedMarket) => number | string
  /** Returns the text of a cell; absent where the page shows more than a text. */
  readonly text?: (market: ListedMarket) => string
}

/** The most that the event can have to pay: each pair pays one of its contracts, and is paid for in full. */
export function escrowOf({ open_interest, payout }: ListedMarket): number {
  return open_interest * payout
}

const number = (
  name: string,
  label: string,
  value: (market: ListedMarket) => number,
  text: (market: ListedMarket) => string,
): EventColumn => ({ name, label, isNumber: true, value, text })

export const COLUMNS: readonly EventColumn[] = [
  { name: 'title', label: t.columns.event, isNumber: false, value: ({ title }) => title.toLowerCase() },
  { name: 'status', label: t.columns.status, isNumber: false, value: ({ status }) => status },
  { name: 'closes', label: t.columns.next, isNumber: false, value: ({ end_date }) => Date.parse(end_date) },
  number(
    'traders',
    t.columns.traders,
    m => m.traders,
    m => countText(m.traders),
  ),
  number(
    'volume',
    t.columns.volume,
    m => m.volume,
    m => countText(m.volume, 'scarce'),
  ),
  number(
    'open_interest',
    t.columns.openInterest,
    m => m.open_interest,
    m => countText(m.open_interest, 'scarce'),
  ),
  number('escrow', t.columns.escrow, escrowOf, m => rupeesText(escrowOf(m))),
  number(
    'last_price',
    t.columns.lastPrice,
    m => m.last_price ?? -1,
    m => (m.last_price === null ? '–' : rupeesText(m.last_price)),
  ),
]

/** The columns of a file of events, under the names of the API. */
export const EVENT_SHEET: readonly CsvColumn<ListedMarket>[] = [
  ['event_id', m => m.event_id],
  ['title', m => m.title],
  ['status', m => m.status],
  ['outcome', m => m.outcome ?? null],
  ['category', m => m.category ?? null],
  ['group', m => m.group ?? null],
  ['sot', m => m.sot],
  ['source_url', m => m.source_url ?? null],
  ['start_date', m => m.start_date],
  ['end_date', m => m.end_date],
  ['min_bet', m => m.min_bet],
  ['max_bet', m => m.max_bet],
  ['quantity', m => m.quantity],
  ['payout', m => m.payout],
  ['tick_size', m => m.tick_size],
  ['traders', m => m.traders],
  ['volume', m => m.volume],
  ['open_interest', m => m.open_interest],
  ['escrow', escrowOf],
  ['last_price', m => m.last_price ?? null],
]
