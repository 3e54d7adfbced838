import type { Market } from '../../client/shapes.js'
import { FetchedTerms } from '../kit/fetched-terms.js'
import { t } from '../texts/frame.js'
import { exchange } from './exchange-client.js'

const terms = new FetchedTerms(exchange)

/** Fetches an event, once; undefined if that fails, and the next call tries again. */
export function fetchTerms(eventId: string): Promise<Market | undefined> {
  return terms.fetch(eventId)
}

/** Returns an event as it was when this page fetched it; undefined until it is loaded. */
export function termsOf(eventId: string): Market | undefined {
  return terms.of(eventId)
}

/** Returns an event’s title; its code until the title is loaded. */
export function titleOf(eventId: string): string {
  return terms.of(eventId)?.title ?? t.event(eventId)
}
