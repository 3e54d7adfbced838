import { signal } from '@preact/signals'
import { LIMITS } from '../../api/limits.js'
import type { Market } from '../../client/shapes.js'
import { t } from '../texts/frame.js'
import { exchange } from './exchange-client.js'

type Found = (market: Market | undefined) => void

/** The events fetched so far, by code. */
const known = signal<ReadonlyMap<string, Market>>(new Map())
const asked = new Map<string, Promise<Market | undefined>>()
/** Events that the next request asks for, all at once: a table names one in each row. */
const waiting = new Map<string, Found>()

/** Fetches an event, once; undefined if that fails, and the next call tries again. */
export function fetchTerms(eventId: string): Promise<Market | undefined> {
  const before = asked.get(eventId)
  if (before !== undefined) return before
  const found = new Promise<Market | undefined>(resolve => waiting.set(eventId, resolve))
  if (waiting.size === 1) queueMicrotask(fetchWaiting)
  asked.set(eventId, found)
  return found
}

async function fetchWaiting(): Promise<void> {
  const batch = [...waiting].slice(0, LIMITS.eventIdsMax)
  for (const [code] of batch) waiting.delete(code)
  if (waiting.size > 0) queueMicrotask(fetchWaiting)
  const event_ids = batch.map(([code]) => code).join(',')
  const markets = await exchange.fetchMarkets({ event_ids, limit: batch.length }).catch(() => [])
  const found = new Map(markets.map(market => [market.event_id, market]))
  if (found.size > 0) known.value = new Map([...known.value, ...found])
  for (const [code, resolve] of batch) {
    if (!found.has(code)) asked.delete(code)
    resolve(found.get(code))
  }
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
