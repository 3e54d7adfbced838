import { useEffect, useMemo } from 'preact/hooks'
import type { Market } from '../../../client/shapes.js'
import { nameText } from '../../kit/name-text.js'
import { setTitle } from '../../kit/page-site.js'
import { t } from '../../texts/market.js'
import { account, askForValues } from '../account.js'
import { ActivityLater } from '../activity/activity-later.jsx'
import { ChartPanel } from '../chart/chart-panel.jsx'
import { chanceOf } from '../implied-probability.js'
import { quotesIn, quotesOf } from '../market-quotes.js'
import { isTrading } from '../markets/market-filter.js'
import { OpenOrders } from '../portfolio/open-orders.jsx'
import { userId } from '../session.js'
import { useOwnTicket } from '../ticket/own-ticket.js'
import { TicketPlace } from '../ticket/ticket-place.jsx'
import { pickPrice } from '../ticket/ticket-state.js'
import { Holding } from './holding.jsx'
import { Ladder } from './ladder.jsx'
import type { MarketFeed } from './market-feed.js'
import { openMarketFeed } from './market-feed.js'
import { MarketHead } from './market-head.jsx'
import { MarketResult } from './market-result.jsx'
import { MarketRules } from './market-rules.jsx'
import { ownOrders } from './own-resting-orders.js'
import { useOwnSettlement } from './own-settlement.js'
import { TradeTape } from './trade-tape.jsx'
import { secondClock } from '../../kit/browser-clock.js'
import { rupeesText } from '../../kit/number-texts.js'
import { dayTimeText, timeLeftText } from '../../kit/time-texts.js'
import { SourceLink } from './source-link.jsx'

/** One market: its book, its trades, its rules, and the ticket to trade it with. */
export function MarketPage({ code }: { readonly code: string }) {
  const feed = useMemo(() => openMarketFeed(code), [code])
  useEffect(() => () => feed.close(), [feed])
  const market = feed.market.value
  useEffect(() => {
    if (market !== undefined) setTitle(nameText(market.title))
  }, [market?.title])

  if (feed.isUnknown.value) return <Unknown code={code} />
  if (market === undefined)
    return (
      <p class="empty" aria-busy="true">
        {t.loadingMarket}
      </p>
    )
  return <LoadedMarket market={market} feed={feed} />
}

function Unknown({ code }: { readonly code: string }) {
  return (
    <section class="card welcome">
      <h1>{t.unknownMarket(code)}</h1>
      <p class="soft">
        <a href="/">{t.seeAll}</a>
      </p>
    </section>
  )
}

interface LoadedMarketProps {
  readonly market: Market
  readonly feed: MarketFeed
}

function LoadedMarket({ market, feed }: LoadedMarketProps) {
  const ticket = useOwnTicket()
  const { payout, event_id, status, outcome } = market
  const book = feed.book.value
  const orders = account.value.orders?.filter(order => order.event_id === event_id)
  const own = ownOrders(orders ?? [], event_id, payout)
  useEffect(askForValues, [book?.last_price])
  const settlement = useOwnSettlement(event_id, status)
  const isOver = !isTrading(market)
  const chance = chanceOf(book ? quotesIn(payout, book) : quotesOf(market))
  const pick = (yesPrice: number) => pickPrice(ticket, yesPrice, payout)
  return (
    <div class={isOver ? 'market market-over' : 'market'}>
      <MarketHead market={market} chance={chance} />
      {outcome === null ? (
        <MarketBanner market={market} />
      ) : (
        <MarketResult market={market} outcome={outcome} own={settlement} />
      )}
      <div class="market-main">
        <ChartPanel market={market} chance={chance} trades={feed.trades} />
        {!isOver && <ActivityLater code={event_id} />}
      </div>
      <div class="market-side">
        {!isOver && <TicketPlace market={market} book={book} own={own} ticket={ticket} />}
        {userId.value !== undefined && outcome === null && (
          <section class="card" aria-labelledby="holding-title">
            <h2 id="holding-title">{t.yourPosition}</h2>
            <Holding market={market} book={book} own={own} ticket={ticket} />
          </section>
        )}
        {userId.value !== undefined && !isOver && (
          <section class="card" aria-labelledby="orders-title">
            <h2 id="orders-title">{t.yourOpenOrders}</h2>
            <OpenOrders orders={orders} />
          </section>
        )}
      </div>
      <div class="market-books">
        {!isOver && (
          <section class="card" aria-labelledby="ladder-title">
            <h2 id="ladder-title">{t.orderBook}</h2>
            <Ladder book={book} own={own} house={market.house_quotes?.rungs} onPick={pick} />
          </section>
        )}
        <section class="card" aria-labelledby="tape-title">
          <h2 id="tape-title">{t.trades}</h2>
          <TradeTape trades={feed.trades.value} payout={payout} isOver={isOver} />
        </section>
      </div>
      <MarketRules market={market} />
    </div>
  )
}

/**
 * The order book of one outcome below its row in a group, and the ticket to trade it with. It is here so that
 * both pages share one part.
 */
export function OutcomeBook({ code }: { readonly code: string }) {
  const feed = useMemo(() => openMarketFeed(code), [code])
  useEffect(() => () => feed.close(), [feed])
  const ticket = useOwnTicket()
  const market = feed.market.value
  if (market === undefined)
    return (
      <p class="empty" role="status">
        {t.loadingMarket}
      </p>
    )
  const book = feed.book.value
  const own = ownOrders(account.value.orders ?? [], code, market.payout)
  return (
    <div class="outcome-book">
      <section aria-label={t.orderBook}>
        <Ladder
          book={book}
          own={own}
          house={market.house_quotes?.rungs}
          onPick={yesPrice => pickPrice(ticket, yesPrice, market.payout)}
        />
      </section>
      {isTrading(market) && <TicketPlace market={market} book={book} own={own} ticket={ticket} />}
    </div>
  )
}

/** Explains why a market without a result does not trade; nothing while it is open. */
function MarketBanner({ market }: { readonly market: Market }) {
  const { status, start_date, payout } = market
  switch (status) {
    case 'scheduled': {
      const left = timeLeftText(Date.parse(start_date) - secondClock.value)
      return <p class="notice market-banner">{t.opensIn(left, dayTimeText(start_date))}</p>
    }
    case 'halted':
      return <p class="notice notice-warn market-banner">{t.halted}</p>
    case 'closed':
      return (
        <section class="notice market-banner" aria-label={t.resultRegion}>
          <p class="result-words">{t.closed}</p>
          <p>{t.closedMeans(rupeesText(payout))}</p>
          <p>
            {t.sourceName}: <SourceLink market={market} />
          </p>
        </section>
      )
    default:
      return null
  }
}
