import { signal } from '@preact/signals'
import { t } from '../texts/frame.js'
import { exchange } from './exchange-client.js'

/** The event titles fetched so far, by code. */
const titles = signal<ReadonlyMap<string, string>>(new Map())
const asked = new Set<string>()

/** Returns an event’s title; its code until the title is loaded. */
export function titleOf(eventId: string): string {
  if (!asked.has(eventId)) {
    asked.add(eventId)
    exchange.fetchMarket(eventId).then(
      ({ title }) => {
        titles.value = new Map(titles.value).set(eventId, title)
      },
      // The code is shown meanwhile; the next render retries.
      () => asked.delete(eventId),
    )
  }
  return titles.value.get(eventId) ?? t.event(eventId)
}
