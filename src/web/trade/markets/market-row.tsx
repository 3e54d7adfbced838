import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ListedMarket } from '../../../client/shapes.js'
import { chanceText, countText, rupeesText } from '../../kit/number-texts.js'
import type { Quotes } from '../implied-probability.js'
import { chanceOf } from '../implied-probability.js'
import { quotesOf, watchQuotes } from '../market-quotes.js'
import { TimeLeft } from '../market-time.jsx'
import { isTrading } from './market-filter.js'
import { Sparkline } from './sparkline.jsx'

/** One market of the list, live while it is on the screen. */
export function MarketRow({ market }: { readonly market: ListedMarket }) {
  const row = useRef<HTMLLIElement>(null)
  const quotes = useSignal<Quotes>(quotesOf(market))
  const isSeen = useSignal(false)
  useEffect(() => {
    if (row.current === null) return
    let end: (() => void) | undefined
    const observer = new IntersectionObserver(entries => {
      const isHere = entries.at(-1)?.isIntersecting === true
      if (isHere) isSeen.value = true
      if (isHere && end === undefined && isTrading(market)) {
        end = watchQuotes(market, now => {
          quotes.value = now
        })
      }
      if (isHere) return
      end?.()
      end = undefined
    })
    observer.observe(row.current)
    return () => {
      observer.disconnect()
      end?.()
    }
  }, [market, quotes, isSeen])
  const address = `/market/${market.event_id}`
  return (
    <li class="market-row" ref={row}>
      <div class="market-head">
        <a class="market-name" href={address}>
          {market.title}
        </a>
        <p class="market-facts">
          {market.category !== null && <span class="tag">{market.category}</span>}
          <TimeLeft market={market} />
          <span>{countText(market.volume, 'scarce')} traded</span>
        </p>
      </div>
      <Sparkline market={market} isWanted={isSeen.value} />
      <Prices market={market} quotes={quotes.value} address={address} />
    </li>
  )
}

interface PricesProps {
  readonly market: ListedMarket
  readonly quotes: Quotes
  readonly address: string
}

function Prices({ market, quotes, address }: PricesProps) {
  const { payout, bid, ask } = quotes
  if (!isTrading(market)) {
    return (
      <>
        <p class="chance">
          {chanceText(chanceOf(quotes), 'headline')}
          <small>final chance</small>
        </p>
        <p class="ended">{endText(market)}</p>
      </>
    )
  }
  return (
    <>
      <p class="chance">
        {chanceText(chanceOf(quotes), 'headline')}
        <small>chance</small>
      </p>
      <a class="quote quote-yes" href={`${address}?outcome=yes`}>
        <small>YES</small>
        {ask === null ? '–' : rupeesText(ask)}
      </a>
      <a class="quote quote-no" href={`${address}?outcome=no`}>
        <small>NO</small>
        {bid === null ? '–' : rupeesText(payout - bid)}
      </a>
    </>
  )
}

function endText({ status, outcome }: ListedMarket): string {
  if (outcome === 'void') return 'Void: all trades are reversed and refunded'
  if (outcome !== null) return `Resolved: ${outcome.toUpperCase()}`
  return status === 'closed' ? 'Closed, awaiting result' : status
}
