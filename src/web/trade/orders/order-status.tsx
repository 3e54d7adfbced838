import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Market, Order } from '../../../client/shapes.js'
import { t } from '../../texts/ticket.js'
import { exchange } from '../exchange-client.js'
import { needsTerms, whyText } from './order-why.js'

/** The markets of refused orders, fetched for their terms, by code. */
const markets = signal<ReadonlyMap<string, Market>>(new Map())
const asked = new Set<string>()

/** An order’s status, and why it was refused or cancelled. */
export function OrderStatus({ order }: { readonly order: Order }) {
  const { event_id, state, reason } = order
  const isAsking = reason !== null && needsTerms(reason)
  useEffect(() => {
    if (isAsking) fetchTerms(event_id)
  }, [isAsking, event_id])
  const why = whyText(order, markets.value.get(event_id))
  return (
    <>
      {t.state[state]}
      {why !== '' && <small class="order-why">{why}</small>}
    </>
  )
}

/** Fetches a market once; until then, or if it fails, the reason is shown without figures. */
function fetchTerms(eventId: string): void {
  if (asked.has(eventId)) return
  asked.add(eventId)
  exchange.fetchMarket(eventId).then(
    market => {
      markets.value = new Map(markets.value).set(eventId, market)
    },
    () => asked.delete(eventId),
  )
}
