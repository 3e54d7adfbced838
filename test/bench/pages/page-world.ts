import { readOperatorKey } from '../../../src/access/operator-key.js'
import { ServerClient } from '../../fixtures/server/server-client.js'
import type { ServerChild } from '../server-child.js'

const MARKETS = 1000
const TRADED = 12
const TRADER = 'meera'

/** An exchange with many markets, some of them traded, one of them settled. */
export interface PageWorld {
  readonly url: string
  readonly client: ServerClient
  readonly markets: number
  /** A user with positions, open orders, and a payout. */
  readonly trader: string
  readonly traded: string
  readonly settled: string
}

/** Fills a new exchange with what the pages show. */
export async function fillPageWorld({ url, data = '' }: ServerChild): Promise<PageWorld> {
  const client = new ServerClient(url, readOperatorKey(data))
  const codes: string[] = []
  for (let place = 1; place <= MARKETS; place++) {
    const title = `Will it rain in place ${place} on Sunday?`
    codes.push(await client.createEvent({ title, category: place % 2 ? 'Weather' : 'Sunday' }))
  }
  for (const code of codes.slice(0, TRADED)) await trade(client, code)
  const [traded = '', settled = ''] = codes
  await client.post(`/events/${settled}/close`, {})
  await client.post(`/events/${settled}/resolve`, { outcome: 'yes', note: 'It rained.' })
  return { url, client, markets: MARKETS, trader: TRADER, traded, settled }
}

/** Lets a few people trade around ₹6, and leaves orders on both sides of the book. */
async function trade(client: ServerClient, code: string): Promise<void> {
  const place = (userid: string, side: string, price: number, quantity: number) =>
    client.placeOrder(code, {
      userid,
      offer_type: side,
      l1_expected_price: price,
      l1_order_quantity: quantity,
    })
  for (let round = 0; round < 8; round++) {
    const price = 5.6 + (round % 4) * 0.2
    await place('ravi', 'sell', price, 12 + round)
    await place(TRADER, 'buy', price, 8 + round)
  }
  for (let level = 1; level <= 6; level++) {
    await place('kabir', 'buy', 5.2 - level / 10, 10 * level)
    await place('ravi', 'sell', 6.6 + level / 10, 9 * level)
  }
  await place(TRADER, 'buy', 4.2, 5)
}
