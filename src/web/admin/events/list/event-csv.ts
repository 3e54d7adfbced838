import type { ListedMarket } from '../../../../client/client.js'
import type { CsvCell } from '../../../../api/csv-file.js'
import { escrowOf } from './event-columns.js'

const COLUMNS: readonly (readonly [name: string, of: (market: ListedMarket) => CsvCell])[] = [
  ['event_id', m => m.event_id],
  ['title', m => m.title],
  ['status', m => m.status],
  ['outcome', m => m.outcome ?? null],
  ['category', m => m.category ?? null],
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

/** Returns the rows of a file of events, the names of the API first. */
export function csvRows(markets: readonly ListedMarket[]): readonly (readonly CsvCell[])[] {
  return [COLUMNS.map(([name]) => name), ...markets.map(market => COLUMNS.map(([, of]) => of(market)))]
}
