import { signal } from '@preact/signals'
import type { Market } from '../../client/shapes.js'
import { t } from '../texts/frame.js'
import { exchange } from './exchange-client.js'

/** The events fetched so far, by code. */
const known = signal<ReadonlyMap<string, Market>>(new Map())
const asked = new Map<string, Promise<Market | undefined>>()

/** Fetches an event, once; undefined if that fails, and the next call tries again. */
export function fetchTerms(eventId: string): Promise<Market | undefined> {
  const before = asked.get(eventId)
  if (before !== undefined) return before
  const found = exchange.fetchMarket(eventId).then(
    market => {
      known.value = new Map(known.value).set(eventId, market)
      return market
    },
    () => {
      asked.delete(eventId)
      return undefined
    },
  )
  asked.set(eventId, found)
  return found
}

/** Returns an event as it was when this page fetched it; undefined until it is loaded. */
export function termsOf(eventId: string): Market | undefined {
  void fetchTerms(eventId)
  return known.value.get(eventId)
}

/** Returns an event’s title; its code until the title is loaded. */
export function titleOf(eventId: string): string {
  return termsOf(eventId)?.title ?? t.event(eventId)
}
