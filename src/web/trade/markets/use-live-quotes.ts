import type { ReadonlySignal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ListedMarket } from '../../../client/shapes.js'
import type { Quotes } from '../implied-probability.js'
import { quotesOf, watchQuotes } from '../market-quotes.js'
import { isTrading } from './market-filter.js'

/** Returns a market’s quotes, live while its element is on the screen. */
export function useLiveQuotes(
  market: ListedMarket,
  element: RefObject<Element | null>,
): ReadonlySignal<Quotes> {
  const quotes = useSignal<Quotes>(quotesOf(market))
  useEffect(() => {
    quotes.value = quotesOf(market)
    if (element.current === null || !isTrading(market)) return
    let end: (() => void) | undefined
    const observer = new IntersectionObserver(entries => {
      const isHere = entries.at(-1)?.isIntersecting === true
      if (isHere && end === undefined) {
        end = watchQuotes(market, now => {
          quotes.value = now
        })
      }
      if (isHere) return
      end?.()
      end = undefined
    })
    observer.observe(element.current)
    return () => {
      observer.disconnect()
      end?.()
    }
  }, [market, quotes])
  return quotes
}
