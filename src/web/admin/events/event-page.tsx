import { useEffect } from 'preact/hooks'
import type { Market } from '../../../client/client.js'
import { FiguresLine } from '../../kit/figures-line.jsx'
import { nameText } from '../../kit/name-text.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { siteName } from '../../kit/page-site.js'
import { t } from '../../texts/admin-events.js'
import { clients } from '../admin-clients.js'
import { usePolled } from '../polling.js'
import { EventEdit } from './event-edit.jsx'
import { EventGroupCard, useGroupOf } from './event-group.jsx'
import { EventExposure } from './event-exposure.jsx'
import { HouseCard } from '../house/house-card.jsx'
import { EventImage } from './event-image.jsx'
import { EventTrading } from './event-trading.jsx'
import { EventLife } from './event-life.jsx'
import { StatusTag } from './event-standing.jsx'
import { SettlementCard } from './settlement/settlement-card.jsx'
import { nowMs } from '../../kit/browser-clock.js'
import { copyOf } from './event-copy.js'
import { withPlaceholders } from './templates/placeholders.js'
import { SaveTemplate } from './templates/save-template.jsx'

const POLL_PAUSE_MS = 2000

/** One event: its figures, status, settlement and details. */
export function EventPage({ code }: { readonly code: string }) {
  const {
    value: market,
    error,
    again,
  } = usePolled(() => clients.asking.fetchMarket(code), POLL_PAUSE_MS, code)
  useEffect(() => {
    document.title = t.pageTitle(market?.title ?? code, siteName)
  }, [market?.title, code])
  const group = useGroupOf(market?.group)
  // Money and result are those of the group; until its kind is known, neither is offered here.
  const isShared = market?.group !== undefined && group?.kind !== 'independent'
  if (market === undefined) {
    return error?.code === 404 ? (
      <NoEvent code={code} />
    ) : (
      <p class="empty" aria-busy="true">
        {t.loadingEvent}
      </p>
    )
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
          <h1>{nameText(market.title)}</h1>
        </div>
        <p class="page-moves">
          <a class="button" href={`/admin/new?from=${code}`}>
            {t.duplicate}
          </a>
          <a class="button" href={`/market/${code}`}>
            {t.viewMarket}
          </a>
        </p>
      </div>
      <Figures market={market} />
      {market.group !== undefined && <EventGroupCard code={market.group} group={group} />}
      {!isShared && <EventExposure market={market} />}
      <EventLife market={market} onDone={again} />
      <EventHouse market={market} />
      {(!isShared || market.outcome !== null) && (
        <SettlementCard key={market.outcome ?? ''} market={market} onDone={again} />
      )}
      <EventTrading market={market} isShared={isShared} />
      <EventImage market={market} onDone={again} />
      <EventEdit market={market} onDone={again} />
      <EventTemplateCard market={market} />
    </div>
  )
}

/** The house quotes of an event: they usually begin at the last price, else at half of the payout. */
function EventHouse({ market }: { readonly market: Market }) {
  const { event_id, status, last_price, payout, tick_size } = market
  const ticks = Math.round((last_price ?? payout / 2) / tick_size)
  return (
    <HouseCard
      code={event_id}
      callsOf={client => client.operator.house}
      startPrice={Number((ticks * tick_size).toFixed(2))}
      takesOrders={['scheduled', 'open', 'halted'].includes(status)}
    />
  )
}

function Figures({ market }: { readonly market: Market }) {
  const { traders, volume, open_interest, last_price, best_bid, best_ask } = market
  const price = (rupees: number | null) => (rupees === null ? '–' : rupeesText(rupees))
  const figures: readonly (readonly [label: string, value: string])[] = [
    [t.columns.traders, countText(traders)],
    [t.columns.volume, countText(volume, 'scarce')],
    [t.columns.openInterest, countText(open_interest, 'scarce')],
    [t.columns.lastPrice, price(last_price)],
    [t.bidAsk, `${price(best_bid)} / ${price(best_ask)}`],
  ]
  return <FiguresLine class="card" figures={figures} />
}

function NoEvent({ code }: { readonly code: string }) {
  return (
    <section class="card gate">
      <h1>{t.noEvent(code)}</h1>
      <p>
        <a href="/admin">{t.allEvents}</a>
      </p>
    </section>
  )
}

/** Saves an event as a template, with `{date}` where its texts have the day of closing. */
function EventTemplateCard({ market }: { readonly market: Market }) {
  const draft = withPlaceholders(copyOf(market, nowMs()), market.end_date)
  return <SaveTemplate draft={draft} name="" showsTitle />
}
