import type { ServerClient } from '../../fixtures/server/server-client.js'

/** The people who trade in the pictures; the last has not traded yet. */
export const PEOPLE = { trader: 'asha', newcomer: 'nobody-yet' } as const

/** Markets in every state, by what their pictures are called. */
export interface World {
  readonly busy: string
  readonly fresh: string
  readonly closed: string
  readonly won: string
  readonly void: string
}

const HOUR_MS = 3_600_000
const TITLES: Readonly<Record<keyof World, string>> = {
  busy: 'Will it rain in Mumbai on Sunday?',
  fresh: 'क्या भारत अगला टेस्ट मैच जीतेगा?',
  closed: 'Will the petrol price in Delhi fall this month?',
  won: 'Will the monsoon reach Kerala by 1 June?',
  void: 'Will the final be played on Saturday?',
}
const CATEGORIES: Readonly<Record<keyof World, string>> = {
  busy: 'Weather',
  fresh: 'Cricket',
  closed: 'Economy',
  won: 'Weather',
  void: 'Cricket',
}

/** Fills an exchange with what the pictures show: the same markets, orders and results each time. */
export async function fillWorld(client: ServerClient): Promise<World> {
  const codes = {} as Record<keyof World, string>
  for (const name of ['void', 'won', 'closed', 'fresh', 'busy'] as const) {
    codes[name] = await client.createEvent({
      title: TITLES[name],
      description: 'Resolves by the official announcement, as published on the day.',
      end_date: new Date(Date.now() + 30 * HOUR_MS).toISOString(),
      category: CATEGORIES[name],
    })
  }
  for (const name of ['busy', 'closed', 'won', 'void'] as const) await trade(client, codes[name])
  for (const name of ['closed', 'won', 'void'] as const) await client.post(`/events/${codes[name]}/close`, {})
  await client.post(`/events/${codes.won}/resolve`, { outcome: 'yes', note: 'Announced on 31 May.' })
  await client.post(`/events/${codes.void}/resolve`, { outcome: 'void', note: 'Called off: rain.' })
  return codes
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
    await place(PEOPLE.trader, 'buy', price, 8 + round)
    await place('meera', 'buy', price - 0.3, 5 + round)
  }
  for (let level = 1; level <= 6; level++) {
    await place('kabir', 'buy', 5.2 - level / 10, 10 * level)
    await place('ravi', 'sell', 6.6 + level / 10, 9 * level)
  }
}
