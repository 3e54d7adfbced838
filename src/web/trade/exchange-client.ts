import { signal } from '@preact/signals'
import type { Connection } from '../../client/client.js'
import { RaayClient } from '../../client/client.js'

/** The exchange that served this page. */
export const exchange = new RaayClient({ url: location.origin, backoffMaxMs: 3000 })

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
