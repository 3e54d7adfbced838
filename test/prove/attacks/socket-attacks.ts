import { setTimeout as pause } from 'node:timers/promises'
import { clientFrame } from '../../fixtures/sockets/ws-frames.js'
import type { Attack } from './attack.js'
import { placeMany } from './order-attacks.js'

const NAMES_PER_REQUEST = 100
/** Longer than the 20 s between heartbeats, so that each socket gets one. */
const HOLD_SECONDS = 22

/** The snapshot of a user with 1,000 open orders, asked for 100 times in each of 170 requests of 750 bytes. */
const fatSnapshots: Attack = {
  name: 'snapshots of a user with 1,000 orders',
  prepare: async target => {
    await placeMany(target, 'fat', await target.client.createEvent(), 1000)
  },
  run: async target => {
    const request = subscription(Array.from({ length: NAMES_PER_REQUEST }, () => target.user('fat')))
    const sockets = await target.connectSockets(10)
    for (let sent = 0; sent < 170; sent++) {
      const socket = sockets[sent % sockets.length]
      if (socket !== undefined) target.send(socket, request)
    }
    await target.holdUntilClosed(sockets, 15)
  },
}

/** Sockets that each subscribe to 1,000 unknown users. */
function unknownUsers(socketCount: number): Attack {
  return {
    name: `${socketCount} sockets × 1,000 unknown users`,
    run: async target => {
      const sockets = await target.connectSockets(socketCount)
      for (const [index, socket] of sockets.entries()) {
        for (let from = 0; from < 1000; from += NAMES_PER_REQUEST) {
          const names = Array.from({ length: NAMES_PER_REQUEST }, (_, at) => `nobody-${index}-${from + at}`)
          target.send(socket, subscription(names))
        }
        if (index % 20 === 0) await pause(1)
      }
      await target.holdUntilClosed(sockets, HOLD_SECONDS)
    },
  }
}

function subscription(events: readonly string[]): Buffer {
  return clientFrame(JSON.stringify({ method: 'subscribe_user', events }))
}

export const socketAttacks: readonly Attack[] = [fatSnapshots, unknownUsers(300), unknownUsers(1640)]
