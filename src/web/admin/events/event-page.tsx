import { useEffect } from 'preact/hooks'
import type { Market } from '../../../client/client.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { clients } from '../admin-clients.js'
import { usePolled } from '../polling.js'
import { EventEdit } from './event-edit.jsx'
import { EventLife } from './event-life.jsx'
import { StatusTag } from './event-standing.jsx'
import { SettlementCard } from './settlement-card.jsx'

const POLL_PAUSE_MS = 2000

/** One event: its figures, status, settlement and details. */
export function EventPage({ code }: { readonly code: string }) {
  const {
    value: market,
    error,
    again,
  } = usePolled(() => clients.asking.fetchMarket(code), POLL_PAUSE_MS, code)
  useEffect(() => {
    document.title = `${market?.title ?? code} · Raay admin`
  }, [market?.title, code])
  if (market === undefined) {
    return error?.code === 404 ? <NoEvent code={code} /> : <p class="empty">Loading event…</p>
  }
  return (
    <div class="stack">
      <div class="page-head">
        <div>
          <p class="event-facts">
            <StatusTag market={market} />
            <span>{market.event_id}</span>
            {market.category !== null && <span>{market.category}</span>}
          </p>
          <h1>{market.title}</h1>
        </div>
        <a class="button" href={`/market/${code}`}>
          View market
        </a>
      </div>
      <Figures market={market} />
      <EventLife market={market} onDone={again} />
      <SettlementCard key={market.outcome ?? ''} market={market} onDone={again} />
      <EventEdit market={market} onDone={again} />
    </div>
  )
}

function Figures({ market }: { readonly market: Market }) {
  const { traders, volume, open_interest, payout, last_price, best_bid, best_ask } = market
  const price = (rupees: number | null) => (rupees === null ? '–' : rupeesText(rupees))
  const figures: readonly (readonly [label: string, value: string])[] = [
    ['Traders', countText(traders)],
    ['Volume', countText(volume, 'scarce')],
    ['Open interest', countText(open_interest, 'scarce')],
    ['Escrow', rupeesText(open_interest * payout)],
    ['Last price', price(last_price)],
    ['Best bid / ask', `${price(best_bid)} / ${price(best_ask)}`],
  ]
  return (
    <dl class="figures-line card">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function NoEvent({ code }: { readonly code: string }) {
  return (
    <section class="card gate">
      <h1>Event {code} does not exist.</h1>
      <p>
        <a href="/admin">All events</a>
      </p>
    </section>
  )
}
