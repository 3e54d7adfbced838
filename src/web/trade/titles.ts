import { signal } from '@preact/signals'
import { exchange } from './exchange-client.js'

/** Titles of events by code, as far as they have been asked for. */
const titles = signal<ReadonlyMap<string, string>>(new Map())
const asked = new Set<string>()

/** The title of an event; its code until the title is here. */
export function titleOf(eventId: string): string {
  if (!asked.has(eventId)) {
    asked.add(eventId)
    exchange.fetchMarket(eventId).then(
      ({ title }) => {
        titles.value = new Map(titles.value).set(eventId, title)
      },
      // The code names it as well; the next look asks again.
      () => asked.delete(eventId),
    )
  }
  return titles.value.get(eventId) ?? `Event ${eventId}`
}
