import { setTimeout as pause } from 'node:timers/promises'
import type { Attack } from './attack.js'
import type { HostileConnection } from './hostile-connection.js'

/** Longer than headers and bodies may take together. */
const SLOW_SECONDS = 35
/** A different address from the innocent client's, for limits per address. */
const HOSTILE_ADDRESS = '127.0.0.2'
/** An unused proxy address: with one configured, loopback counts like any other address. */
const COUNTED = ['--trusted-proxy', '10.0.0.7']

const slowHeaders = slow(
  '1,000 headers, a line a second',
  'GET /healthz HTTP/1.1\r\nHost: localhost\r\n',
  'A: b\r\n',
)

const slowBodies = slow(
  '1,000 bodies, a byte a second',
  'POST /order/initiate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
  ' ',
)

/** Connections that send nothing. */
const silence: Attack = {
  name: '6,000 silent connections',
  flags: COUNTED,
  run: async target => {
    const connections = await target.connect(6000, { from: HOSTILE_ADDRESS })
    target.requests += connections.length
    await target.holdUntilClosed(connections, 15)
  },
}

/** Connections that end as soon as they are open, 20,000 of them. */
const reconnecting: Attack = {
  name: '20,000 connections, reset at once',
  flags: COUNTED,
  run: async target => {
    for (let opened = 0; opened < 20_000; opened += 500) {
      const connections = await target.connect(500, { from: HOSTILE_ADDRESS })
      target.requests += connections.length
      for (const connection of connections) {
        connection.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
        connection.socket.resetAndDestroy()
      }
      await target.holdUntilClosed(connections, 1)
    }
  },
}

export const connectionAttacks: readonly Attack[] = [slowHeaders, slowBodies, silence, reconnecting]

/** A thousand connections that keep a request open by sending a little of it each second. */
function slow(name: string, start: string, drop: string): Attack {
  return {
    name,
    flags: COUNTED,
    run: async target => {
      const connections = await target.connect(1000, { from: HOSTILE_ADDRESS })
      for (const connection of connections) target.send(connection, start)
      await drip(connections, drop)
      const open = await target.holdUntilClosed(connections, 0)
      if (open > 0) target.faults.push(`${open} slow requests were still open after ${SLOW_SECONDS} s`)
    },
  }
}

async function drip(connections: readonly HostileConnection[], drop: string): Promise<void> {
  for (let second = 0; second < SLOW_SECONDS; second++) {
    const open = connections.filter(({ isOpen }) => isOpen)
    if (open.length === 0) return
    for (const connection of open) connection.write(drop)
    await pause(1000)
  }
}
