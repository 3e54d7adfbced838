import type { Test } from 'tap'
import t from 'tap'
import { Limiter } from '../../src/access/limits/limiter.js'
import { RATE_LIMITS } from '../../src/api/rate-limits.js'
import { SOCKET_LIMITS } from '../../src/api/socket-limits.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { TokenBook } from '../fixtures/sockets/ws-tokens.js'
import { openTestWindow } from '../fixtures/sockets/ws-window.js'

const MODES = ['accounts', 'jwt'] as const

/** A gateway with limits, to which two users connect from one address, and strangers. */
async function openOffice(t: Test, mode: (typeof MODES)[number], limiter: Limiter) {
  const tokens = new TokenBook()
  const tokenOf = (user: string) => (mode === 'jwt' ? `e30.${user}.e30` : `rs_${user}`)
  for (const user of ['asha', 'ravi']) tokens.give(tokenOf(user), user)
  const access = { mode, publicReads: true, finder: tokens, verifier: tokens }
  const { client } = await openTestWindow(t, access, { limits: { limiter } })
  const connect = (user?: string) => {
    const headers = user === undefined ? {} : { Authorization: `Bearer ${tokenOf(user)}` }
    return WsClient.connect(t, client.wsUrl(), { headers })
  }
  return { connect }
}

for (const mode of MODES) {
  t.test(`neither one user nor strangers take all connections of an address: ${mode}`, async t => {
    const { connect } = await openOffice(t, mode, new Limiter(() => 0))
    const { perAddressMax, perUserMax } = SOCKET_LIMITS
    await Promise.all(Array.from({ length: perUserMax.connections }, () => connect('asha')))
    await Promise.all(Array.from({ length: perAddressMax.strangers }, () => connect()))
    const late = await connect()
    t.match(await late.closed, { code: 1008, reason: /an address/ }, 'one stranger more is too many')
    t.match(await (await connect('asha')).closed, { code: 1008 }, 'and so is one more of the user')
    t.match(await (await connect('ravi')).ask(['subscribe_user', 'ravi']), { event: 'subscribed' })
  })

  t.test(`a user who is refused takes nothing from others at the same address: ${mode}`, async t => {
    const size = { unit: 'subscriptions', windowSeconds: 60, user: 50, credential: 50, address: 100 }
    const { connect } = await openOffice(t, mode, new Limiter(() => 0, { ...RATE_LIMITS, snapshots: size }))
    const asha = await connect('asha')
    for (let count = 0; count < 200; count++) asha.send(['subscribe_orderbook', '1000001'])
    asha.send({ event: 'x'.repeat(2000), id: 'last' })
    t.match(await asha.next(({ id }) => id === 'last'), { event: 'error', data: { code: 429 } })
    const ravi = await connect('ravi')
    t.match(await ravi.ask(['subscribe_user', 'ravi']), { event: 'subscribed' })
    for (let count = 0; count < 60; count++) ravi.send(['subscribe_orderbook', '1000001'])
    t.match(await ravi.next(({ data }) => (data as { code?: number }).code === 429), { event: 'error' })
    t.match(await (await connect()).ask(['unsubscribe_user', 'x']), { event: 'unsubscribed' })
    const stranger = await connect()
    t.match(await stranger.ask(['subscribe_orderbook', '1000001']), { data: { code: 429 } }, 'both owe')
  })
}
