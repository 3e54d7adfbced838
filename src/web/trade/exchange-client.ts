import { signal } from '@preact/signals'
import type { Connection, Order } from '../../client/client.js'
import { RaayClient } from '../../client/client.js'
import { newOrderKey } from '../../client/platform.js'
import { learnTime } from './exchange-clock.js'

/** Orders of this page that are remembered; only new ones matter. */
const OWN_KEYS_MAX = 1000
const ownKeys = new Set<string>()

/** The exchange that served this page. */
export const exchange = new RaayClient({
  url: location.origin,
  // People would rather be told soon than wait.
  attemptsMax: 5,
  backoffMaxMs: 3000,
  fetch: async (url, request) => {
    const answer = await fetch(url, request)
    learnTime(answer.headers.get('date'))
    return answer
  },
  newOrderKey: newOwnKey,
})

/** Returns a name for an order of this page. */
export function newOwnKey(): string {
  const key = newOrderKey()
  const [oldest] = ownKeys
  if (ownKeys.size >= OWN_KEYS_MAX && oldest !== undefined) ownKeys.delete(oldest)
  ownKeys.add(key)
  return key
}

/** Leaves an order to the notices, because its ticket cannot show the result. */
export function disown(key: string | undefined): void {
  if (key !== undefined) ownKeys.delete(key)
}

/** Returns whether this page placed an order. */
export function isFromThisPage({ client_order_id }: Pick<Order, 'client_order_id'>): boolean {
  return client_order_id !== null && ownKeys.has(client_order_id)
}

/** The state of the connection, and how often it came back after an outage. */
export const connectionState = signal<{ readonly state: Connection; readonly comebacks: number }>({
  state: 'catching_up',
  comebacks: 0,
})

/** Shorter outages are not shown: the client is switching connections. */
const OFFLINE_AFTER_MS = 700
let goingOffline: ReturnType<typeof setTimeout> | undefined

exchange.onConnection(state => {
  clearTimeout(goingOffline)
  const update = () => {
    const { state: before, comebacks } = connectionState.value
    const isBack = before === 'offline' && state !== 'offline'
    connectionState.value = { state, comebacks: isBack ? comebacks + 1 : comebacks }
  }
  if (state === 'offline') goingOffline = setTimeout(update, OFFLINE_AFTER_MS)
  else update()
})
