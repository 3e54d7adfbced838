import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Market, Settlement } from '../../../client/shapes.js'
import { chanceText, countText } from '../../kit/number-texts.js'
import { account } from '../account.js'
import { exchange } from '../exchange-client.js'
import { chanceOf } from '../implied-probability.js'
import { quotesIn, quotesOf } from '../market-quotes.js'
import { TimeLeft } from '../market-time.jsx'
import { isTrading } from '../markets/market-filter.js'
import { OpenOrders } from '../portfolio/open-orders.jsx'
import { userId } from '../session.js'
import { Ticket } from '../ticket/ticket.jsx'
import type { TicketState } from '../ticket/ticket-state.js'
import { newTicket } from '../ticket/ticket-state.js'
import { ChartPanel } from './chart-panel.jsx'
import { Holding } from './holding.jsx'
import { Ladder } from './ladder.jsx'
import { MarketBanner } from './market-banner.jsx'
import type { MarketFeed } from './market-feed.js'
import { openMarketFeed } from './market-feed.js'
import { MarketRules } from './market-rules.jsx'
import { ownOrders } from './own-resting-orders.js'
import { TradeTape } from './trade-tape.jsx'

/** One market: its book, its trades, its rules, and the ticket to trade it with. */
export function MarketPage({ code }: { readonly code: string }) {
  const feed = useMemo(() => openMarketFeed(code), [code])
  const ticket = useMemo(() => newTicket(location.search), [])
  useEffect(() => () => feed.close(), [feed])
  const market = feed.market.value
  useEffect(() => {
    if (market !== undefined) document.title = `${market.title} · Raay`
  }, [market?.title])

  if (feed.isUnknown.value) return <Unknown code={code} />
  if (market === undefined) return <p class="empty">Loading market…</p>
  return <LoadedMarket market={market} feed={feed} ticket={ticket} />
}

function Unknown({ code }: { readonly code: string }) {
  return (
    <section class="card welcome">
      <h1>Market {code} does not exist.</h1>
      <p class="soft">
        See <a href="/">all markets</a>.
      </p>
    </section>
  )
}

interface LoadedMarketProps {
  readonly market: Market
  readonly feed: MarketFeed
  readonly ticket: TicketState
}

function LoadedMarket({ market, feed, ticket }: LoadedMarketProps) {
  const { payout, event_id, status } = market
  const book = feed.book.value
  const orders = (account.value.orders ?? []).filter(order => order.event_id === event_id)
  const own = ownOrders(orders, event_id, payout)
  const settlement = useSettlement(event_id, status)
  const pick = (yesPrice: number) => {
    ticket.orderType.value = 'LO'
    const price = ticket.outcome.value === 'yes' ? yesPrice : payout - yesPrice
    ticket.priceText.value = price.toFixed(2)
  }
  return (
    <div class="market">
      <MarketHead market={market} chance={chanceOf(book ? quotesIn(payout, book) : quotesOf(market))} />
      <div class="market-main">
        <MarketBanner market={market} />
        <ChartPanel market={market} lastPrice={book?.last_price ?? market.last_price} />
      </div>
      <div class="market-side">
        {isTrading(market) && (
          <section class="card" aria-label="Trade">
            <Ticket market={market} book={book} own={own} ticket={ticket} />
          </section>
        )}
        {userId.value !== undefined && (
          <>
            <section class="card" aria-labelledby="holding-title">
              <h2 id="holding-title">{settlement === undefined ? 'Your position' : 'Your result'}</h2>
              <Holding market={market} ticket={ticket} settlement={settlement} />
            </section>
            {isTrading(market) && (
              <section class="card" aria-labelledby="orders-title">
                <h2 id="orders-title">Your open orders</h2>
                <OpenOrders orders={orders} />
              </section>
            )}
          </>
        )}
      </div>
      <div class="market-books">
        {isTrading(market) && (
          <section class="card" aria-labelledby="ladder-title">
            <h2 id="ladder-title">Order book</h2>
            <Ladder book={book} payout={payout} own={own} onPick={pick} />
          </section>
        )}
        <section class="card" aria-labelledby="tape-title">
          <h2 id="tape-title">Trades</h2>
          <TradeTape trades={feed.trades.value ?? []} payout={payout} />
        </section>
      </div>
      <div class="market-rules">
        <MarketRules market={market} />
      </div>
    </div>
  )
}

function MarketHead({ market, chance }: { readonly market: Market; readonly chance: number | undefined }) {
  const { title, category, volume, open_interest, traders } = market
  return (
    <header class="market-title">
      <div>
        <h1>{title}</h1>
        <p class="market-facts">
          {category !== null && <span class="tag">{category}</span>}
          <TimeLeft market={market} />
          <span>{countText(volume)} traded</span>
          <span>{countText(open_interest)} open</span>
          <span>{countText(traders)} traders</span>
        </p>
      </div>
      <Headline chance={chance} outcome={market.outcome} />
    </header>
  )
}

/** The chance in large type, or the result. */
function Headline({ chance, outcome }: { readonly chance: number | undefined } & Pick<Market, 'outcome'>) {
  return (
    <p class={`chance chance-large ${outcome ?? ''}`}>
      {outcome === null ? chanceText(chance, 'headline') : outcome.toUpperCase()}
      <small>{outcome === null ? 'chance of YES' : 'result'}</small>
    </p>
  )
}

/** Fetches the user’s settlement in this market; undefined until it has settled. */
function useSettlement(eventId: string, status: Market['status']): Settlement | undefined {
  const settlement = useSignal<Settlement | undefined>(undefined)
  const name = userId.value
  // A user without trades has no settlement.
  const hasAccount = account.value.balance !== undefined
  useEffect(() => {
    settlement.value = undefined
    if (!hasAccount || name === undefined || (status !== 'settled' && status !== 'voided')) return
    exchange.fetchSettlements({ userid: name }).then(
      found => {
        settlement.value = found.find(({ event_id }) => event_id === eventId)
      },
      // The banner shows the result all the same.
      () => {},
    )
  }, [name, hasAccount, eventId, status])
  return settlement.value
}
