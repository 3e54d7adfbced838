import type { Market } from '../../../client/client.js'
import { FiguresLine } from '../../kit/figures-line.jsx'
import { rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/admin-events.js'
import { clients } from '../admin-clients.js'
import { usePolled } from '../polling.js'
import { escrowOf } from './list/event-columns.js'
import { restingValue } from './resting-value.js'

const POLL_PAUSE_MS = 5000

/** Shows the money that the event holds, and the most that it can have to pay. */
export function EventExposure({ market }: { readonly market: Market }) {
  const { value: book } = usePolled(
    () => clients.asking.fetchOrderBook(market.event_id),
    POLL_PAUSE_MS,
    `${market.event_id} ${market.status}`,
  )
  const escrow = escrowOf(market)
  const held = book === undefined ? '…' : rupeesText(restingValue(book, market.payout))
  const figures = [
    [t.exposure.escrow, rupeesText(escrow)],
    [t.exposure.orders, held],
    [t.exposure.worst, rupeesText(escrow)],
  ] as const
  return (
    <section class="card" aria-labelledby="exposure-title">
      <div class="card-head">
        <h2 id="exposure-title">{t.exposure.title}</h2>
        <span class="tag status-good">{t.exposure.covered}</span>
      </div>
      <FiguresLine figures={figures} />
      <p class="card-foot note">{t.exposure.note}</p>
    </section>
  )
}
