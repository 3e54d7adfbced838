import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { askForValues } from '../account.js'
import { watchQuotes } from '../market-quotes.js'
import { isTrading } from '../markets/market-filter.js'
import { termsOf } from '../titles.js'

/** Markets beyond these show the price with which the page began. */
const WATCHED_MAX = 100

/** The last prices of watched markets, by code. */
const lastPrices = signal<ReadonlyMap<string, number>>(new Map())

/** Follows the prices of markets while they are shown. */
export function useLivePrices(codes: readonly string[]): void {
  const markets = codes.flatMap(code => termsOf(code) ?? []).filter(isTrading)
  const watched = markets.slice(0, WATCHED_MAX)
  useEffect(() => {
    const ends = watched.map(market => {
      return watchQuotes(market, ({ last }) => {
        // The first quotes usually say what the list of events said: the values of positions know it.
        if (last === null || lastPriceOf(market.event_id) === last) return
        lastPrices.value = new Map(lastPrices.peek()).set(market.event_id, last)
        askForValues()
      })
    })
    return () => {
      for (const end of ends) end()
    }
  }, [watched.map(({ event_id }) => event_id).join()])
}

/** Returns the last price of a market, as new as it is known here; undefined if it never traded. */
export function lastPriceOf(code: string): number | undefined {
  return lastPrices.value.get(code) ?? termsOf(code)?.last_price ?? undefined
}
