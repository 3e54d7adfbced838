import { signal } from '@preact/signals'
import { LIMITS } from '../../api/limits.js'
import type { EventGroup, Market, RaayClient } from '../../client/client.js'

type Found = (market: Market | undefined) => void

type Client = Pick<RaayClient, 'fetchMarkets'> & {
  readonly groups: Pick<RaayClient['groups'], 'fetchGroup'>
}

/**
 * Terms of events by code, fetched when they are first needed, many at once, and kept. Where money is counted
 * for an exclusive group as a whole, its code stands in place of an event's.
 */
export class FetchedTerms {
  readonly #client: Client
  /** The events fetched so far. */
  readonly #known = signal<ReadonlyMap<string, Market>>(new Map())
  readonly #groups = signal<ReadonlyMap<string, EventGroup>>(new Map())
  readonly #asked = new Map<string, Promise<Market | undefined>>()
  /** Events that the next request asks for, all at once: a table names one in each row. */
  readonly #waiting = new Map<string, Found>()

  constructor(client: Client) {
    this.#client = client
  }

  /** Fetches an event, once; undefined if that fails, and the next call tries again. */
  fetch(eventId: string): Promise<Market | undefined> {
    const before = this.#asked.get(eventId)
    if (before !== undefined) return before
    const found = new Promise<Market | undefined>(resolve => this.#waiting.set(eventId, resolve))
    if (this.#waiting.size === 1) queueMicrotask(() => this.#fetchWaiting())
    this.#asked.set(eventId, found)
    return found
  }

  /** Returns an event as it was when this page fetched it; undefined until it is loaded. */
  of(eventId: string): Market | undefined {
    void this.fetch(eventId)
    return this.#known.value.get(eventId)
  }

  /** Returns a group as it was when this page fetched it; undefined until it is loaded, and for an event. */
  groupOf(code: string): EventGroup | undefined {
    void this.fetch(code)
    return this.#groups.value.get(code)
  }

  async #fetchWaiting(): Promise<void> {
    const batch = [...this.#waiting].slice(0, LIMITS.eventIdsMax)
    for (const [code] of batch) this.#waiting.delete(code)
    if (this.#waiting.size > 0) queueMicrotask(() => this.#fetchWaiting())
    const event_ids = batch.map(([code]) => code).join(',')
    const markets = await this.#client.fetchMarkets({ event_ids, limit: batch.length }).catch(() => [])
    const found = new Map(markets.map(market => [market.event_id, market]))
    if (found.size > 0) this.#known.value = new Map([...this.#known.value, ...found])
    for (const [code, resolve] of batch) {
      if (!found.has(code)) void this.#fetchGroup(code)
      resolve(found.get(code))
    }
  }

  /** Looks for a group of a code that no event has; if that fails, the next call tries again. */
  async #fetchGroup(code: string): Promise<void> {
    const group = await this.#client.groups.fetchGroup(code).catch(() => undefined)
    if (group === undefined) this.#asked.delete(code)
    else this.#groups.value = new Map([...this.#groups.value, [code, group]])
  }
}
