import { computed, effect, untracked } from '@preact/signals'
import { sharedStorage } from '../../kit/browser-memory.js'
import { account } from '../account.js'
import { exchange } from '../exchange-client.js'
import { hearStatuses } from './status-news.js'
import type { StatusChange, Statuses } from './status-changes.js'
import { changesIn } from './status-changes.js'

/** No channel of a user carries the status of markets: it is asked for where no other channel brings it. */
const LOOK_MS = 20_000
/** Markets that are followed at most: those of one request. */
const MARKETS_MAX = 200

/** Tells of markets of a user’s contracts that close, halt or resume; returns how to stop. */
export function watchStatuses(userid: string, onChange: (change: StatusChange) => void): () => void {
  const key = `raay.statuses.${userid}`
  let isOver = false
  const storedText = () => sharedStorage.read(key)
  const stored = () => statusesIn(storedText())
  // Read and written in one turn, so that of several tabs one tells.
  const learn = (now: Statuses) => {
    const changes = changesIn(stored(), now)
    sharedStorage.write(key, JSON.stringify(now))
    for (const change of changes) onChange(change)
  }
  const look = async (): Promise<void> => {
    const event_ids = untracked(heldNow)
    if (event_ids.length === 0) return
    const query = { event_ids: event_ids.join(','), limit: event_ids.length }
    const before = storedText()
    const markets = await exchange.fetchMarkets(query).catch(() => undefined)
    if (isOver || markets === undefined) return
    // An answer that a channel or another tab has overtaken may be older than what they said.
    if (storedText() !== before) return look()
    learn(Object.fromEntries(markets.map(({ event_id, status }) => [event_id, status])))
  }
  const unhear = hearStatuses(({ event_id, status }) => {
    const before = stored()
    if (before[event_id] === status || !(event_id in before) || !untracked(heldNow).includes(event_id)) return
    learn({ ...before, [event_id]: status })
  })
  const timer = setInterval(look, LOOK_MS)
  const codes = computed(() => heldNow().join())
  const stop = effect(() => {
    if (codes.value !== '') untracked(() => void look())
  })
  return () => {
    isOver = true
    clearInterval(timer)
    unhear()
    stop()
  }
}

/** Returns the codes of the markets in which the user holds contracts. */
function heldNow(): readonly string[] {
  const held = (account.value.positions ?? []).filter(({ yes, no }) => yes > 0 || no > 0)
  return held.slice(0, MARKETS_MAX).map(({ event_id }) => event_id)
}

function statusesIn(text: string | undefined): Statuses {
  try {
    const found: unknown = JSON.parse(text ?? '{}')
    return typeof found === 'object' && found !== null ? (found as Statuses) : {}
  } catch {
    return {}
  }
}
