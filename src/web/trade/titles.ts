import type { Market } from '../../client/shapes.js'
import { FetchedTerms } from '../kit/fetched-terms.js'
import { nameText } from '../kit/name-text.js'
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

/** Returns the title of an event, or of a group; the code until it is loaded. */
export function titleOf(code: string): string {
  const title = terms.of(code)?.title ?? terms.groupOf(code)?.title
  return title === undefined ? t.event(code) : nameText(title)
}

/** Returns true once a code is known to be that of a group. */
export function isGroup(code: string): boolean {
  return terms.groupOf(code) !== undefined
}
