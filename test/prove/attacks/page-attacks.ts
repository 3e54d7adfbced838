import type { Attack } from './attack.js'
import { eventOf, placeMany } from './order-attacks.js'

/** 10,000 characters of three bytes each: the longest description. */
const LONG = '₹'.repeat(10_000)

/** Longer than a history read may wait for its turn, and its response then stay unread: 10 and 20 s. */
const DEAF_SECONDS = 35

/** Lists of 32 MB, requested and never read. */
const unreadPages: Attack = {
  name: '100 unread lists of 1,000 long events',
  prepare: async target => {
    for (let made = 0; made < 1000; made += 20) {
      const bodies = Array.from({ length: 20 }, (_, index) => eventOf(`Long ${made + index}`, LONG))
      await Promise.all(bodies.map(body => target.client.post('/events/create', body)))
    }
  },
  run: async target => {
    const connections = await target.connect(100, { isDeaf: true })
    for (const connection of connections) target.send(connection, target.request('/events?limit=1000'))
    await target.stayDeaf(connections, DEAF_SECONDS)
  },
}

/** As many reads from disk as there are connections, all at once. */
const pageReads: Attack = {
  name: '4,500 concurrent page reads',
  prepare: async target => {
    await placeMany(target, 'reader', await target.client.createEvent(), 5000)
  },
  run: async target => {
    const connections = await target.connect(4500)
    const request = target.request('/order?userid=reader&limit=1000')
    for (const connection of connections) target.send(connection, request)
    await target.answered(connections.length, 25)
    await target.holdUntilClosed(connections, 0)
  },
}

/** Pipelined requests on each connection, with no response ever read. */
const pipelining: Attack = {
  name: '50 × 2,000 pipelined requests, unread',
  prepare: async target => {
    await placeMany(target, 'piper', await target.client.createEvent(), 1000)
  },
  run: async target => {
    const connections = await target.connect(50, { isDeaf: true })
    const requests = ['/order?userid=piper&limit=1000', '/events', '/healthz', '/openapi.json']
    const burst = Buffer.concat(requests.map(path => target.request(path)))
    for (let sent = 0; sent < 2000; sent += requests.length) {
      for (const connection of connections) connection.write(burst)
      target.requests += connections.length * requests.length
    }
    await target.stayDeaf(connections, DEAF_SECONDS)
  },
}

export const pageAttacks: readonly Attack[] = [unreadPages, pageReads, pipelining]
