import { Dice } from '../fixtures/dice.js'

const SEED = 20_261_121

/**
 * Generates order bodies of busy markets: near one price, both sides, small quantities, many users.
 *
 * @param users their number, or their ids
 */
export function orderBodies(
  count: number,
  eventIds: readonly [string, ...string[]],
  users: number | readonly [string, ...string[]] = 200,
  middle = 5,
): string[] {
  const dice = new Dice(SEED)
  return Array.from({ length: count }, (_, index) => {
    const isBuy = dice.percent(50)
    const distance = dice.between(-3, 12) / 100
    const price = middle + (isBuy ? -distance : distance)
    return JSON.stringify({
      event_id: eventIds[index % eventIds.length],
      l1_expected_price: Math.round(price * 100) / 100,
      l1_order_quantity: dice.between(1, 500) / 10,
      offer_type: isBuy ? 'buy' : 'sell',
      order_type: dice.percent(5) ? 'MO' : 'LO',
      userid: typeof users === 'number' ? `user-${dice.between(1, users)}` : dice.oneOf(users),
    })
  })
}

/** Creates a market that stays open, and returns its code. */
export async function createEvent(url: string, title: string, operatorKey?: string): Promise<string> {
  const response = await fetch(`${url}/events/create`, {
    method: 'POST',
    headers: operatorKey === undefined ? {} : { Authorization: `Bearer ${operatorKey}` },
    body: JSON.stringify({
      title,
      description: 'A market for measuring',
      start_date: '2020-01-01T00:00:00.000Z',
      end_date: '2120-01-01T00:00:00.000Z',
      min_bet: 0,
      max_bet: 1_000_000,
      sot: 'bench',
      quantity: 10_000_000,
    }),
  })
  const { additional } = (await response.json()) as { additional: string }
  return additional
}
