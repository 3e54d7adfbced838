import { readFileSync } from 'node:fs'
import type { ServerClient } from '../../fixtures/server/server-client.js'

/** The readers of the pages; the newcomer has not traded yet. */
export const PEOPLE = { trader: 'asha', newcomer: 'nobody-yet', admin: 'priya' } as const

/** Markets in every state, by what their pictures are called. */
export interface World {
  readonly busy: string
  readonly fresh: string
  readonly closed: string
  readonly won: string
  readonly void: string
}

const PICTURE = new URL('../../../../src/docs/guides/pictures/market.png', import.meta.url)
const TEMPLATE = {
  name: 'Weekly rain',
  title: 'Will it rain in Mumbai by {date}?',
  description: 'YES if the department measures rain by {date}.',
  ...{ sot: 'department', min_bet: 1, max_bet: 1000, quantity: 1000, category: 'Weather' },
  ...{ opens_at: '09:00', closes_at: '18:00', days: 7 },
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
  for (const [name, emoji] of [
    ['busy', '🌧️'],
    ['fresh', '🏏'],
  ] as const) {
    await client.send('PUT', `/events/${codes[name]}/image`, JSON.stringify({ emoji }))
  }
  const picture = readFileSync(PICTURE).toString('base64')
  await client.send('PUT', `/events/${codes.closed}/image`, JSON.stringify({ picture }))
  await comment(client, codes.busy)
  const { body } = await client.send('PUT', '/admin/templates', JSON.stringify(TEMPLATE))
  const { id } = body.additional as { readonly id: number }
  // Nothing is created while the pictures are taken.
  const schedule = { repeat: 'weekly', weekdays: [6, 7], hours_before: 24, is_paused: true }
  await client.send('PUT', `/admin/templates/${id}/schedule`, JSON.stringify(schedule))
  return codes
}

async function comment(client: ServerClient, code: string): Promise<void> {
  const say = (userid: string, text: string, show_position = false) =>
    client.post(`/events/${code}/comments`, { userid, text, show_position })
  await say('ravi', 'The forecast says 70 % since this morning.', true)
  await say('meera', 'मुंबई में जून में बारिश न हो, ऐसा कम ही होता है।')
  await say('kabir', 'Free tips at https://example.com/' + 'tips-'.repeat(12))
  await client.post(`/events/${code}/comments/3/hide`, { reason: 'Advertising' })
  await say(PEOPLE.trader, 'Not on Sunday: the wind has turned.\nI am selling.', true)
}

/** Lets a few people trade around ₹6, and leaves orders on both sides of the book. */
async function trade(client: ServerClient, code: string): Promise<void> {
  const place = (userid: string, side: string, price: number, quantity: number) =>
    client.placeOrder(code, {
      userid,
      offer_type: side,
      l1_expected_price: Math.round(price * 100) / 100,
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
