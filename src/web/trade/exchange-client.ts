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
/** How long the exchange may take to show that it is there although the browser has lost its network. */
const PROBE_MS = 3000
let goingOffline: ReturnType<typeof setTimeout> | undefined
/** The state that the client tells. */
let told: Connection = 'catching_up'
/** True while the browser has no network, which a silent socket takes up to 45 s to notice. */
let isCut = false

exchange.onConnection(state => {
  told = state
  showConnection()
})

addEventListener('offline', async () => {
  // An exchange on this machine needs no network.
  const request = { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) } as const
  const isThere = await fetch('/healthz', request).then(
    () => true,
    () => false,
  )
  isCut = !isThere && !navigator.onLine
  showConnection()
})

addEventListener('online', () => {
  isCut = false
  showConnection()
})

function showConnection(): void {
  clearTimeout(goingOffline)
  const update = (state: Connection) => {
    const { state: before, comebacks } = connectionState.value
    const isBack = before === 'offline' && state !== 'offline'
    connectionState.value = { state, comebacks: isBack ? comebacks + 1 : comebacks }
  }
  if (isCut) update('offline')
  else if (told === 'offline') goingOffline = setTimeout(update, OFFLINE_AFTER_MS, 'offline')
  else update(told)
}
