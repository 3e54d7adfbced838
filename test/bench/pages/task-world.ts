import { readOperatorKey } from '../../../src/access/operator-key.js'
import { ServerClient } from '../../fixtures/server/server-client.js'
import type { ServerChild } from '../server-child.js'

/** Trades in all walks but those of a visitor. */
export const USER = 'asha'

/** The events of one walk, so that none changes what the next one sees. */
export interface Ready {
  readonly rain: string
  readonly rainTitle: string
  /** The title of last week's match, a week before the new one. */
  readonly lastMatch: string
  readonly match: string
  /** The day of the new one, as typed and as shown. */
  readonly sunday: { readonly typed: string; readonly shown: string }
}

export interface TaskWorld {
  readonly url: string
  readonly client: ServerClient
  /** Prepares a walk. */
  readonly prepare: () => Promise<Ready>
}

/** Fills a new exchange with a user who has won ₹40, holds contracts, and was refused an order. */
export async function fillTaskWorld({ url, data = '' }: ServerChild): Promise<TaskWorld> {
  const client = new ServerClient(url, readOperatorKey(data))
  const won = await client.createEvent({ title: 'Will the train be late on Monday?' })
  await trade(client, won)
  await client.post(`/events/${won}/close`, {})
  await client.post(`/events/${won}/resolve`, { outcome: 'yes', note: 'It was.' })
  const large = await client.createEvent({ max_bet: 10_000_000 })
  await order(client, large, { l1_order_quantity: 200_000 })
  let round = 0
  let codes: readonly string[] = []
  return {
    url,
    client,
    prepare: async () => {
      // The operators' list begins with what is open: it shows a new event without a search.
      for (const code of codes) await client.post(`/events/${code}/resolve`, { outcome: 'void' })
      round++
      const rainTitle = `Will it rain in Mumbai on day ${round}?`
      const rain = await client.createEvent({ title: rainTitle })
      await trade(client, rain)
      const lastMatch = `Will India win match ${round} in Delhi?`
      const played = await client.createEvent({
        title: lastMatch,
        description: 'The result on the board’s site.',
      })
      codes = [rain, played]
      const match = `Will India win match ${round} on Sunday?`
      return { rain, rainTitle, lastMatch, match, sunday: nextSunday() }
    },
  }
}

/** Lets the user buy 10 YES at ₹6, and leaves enough to trade with on both sides. */
async function trade(client: ServerClient, code: string): Promise<void> {
  await order(client, code, { userid: 'ravi', offer_type: 'sell', l1_order_quantity: 2000 })
  await order(client, code, {})
  await order(client, code, { userid: 'meera', l1_expected_price: 5.5, l1_order_quantity: 2000 })
}

function order(client: ServerClient, code: string, fields: Record<string, unknown>) {
  return client.post('/order/initiate', {
    event_id: code,
    userid: USER,
    offer_type: 'buy',
    order_type: 'LO',
    l1_expected_price: 6,
    l1_order_quantity: 10,
    ...fields,
  })
}

/**
 * Returns the first Sunday after tomorrow, which is to come in the time zone of the exchange, too, in the form of
 * American date fields, and as the pages write it.
 */
function nextSunday(): Ready['sunday'] {
  const day = new Date()
  const ahead = 7 - day.getDay()
  day.setDate(day.getDate() + (ahead === 1 ? 8 : ahead))
  const two = (part: number) => String(part).padStart(2, '0')
  return {
    typed: `${two(day.getMonth() + 1)}${two(day.getDate())}`,
    shown: day.toLocaleDateString('en-IN', { day: 'numeric', month: 'short' }),
  }
}
