import { plural } from '../plural.js'

export const en = {
  title: 'Fees',
  about: 'What came in as fees, by day and event. Days are of UTC.',
  fees: 'Fees',
  none: 'None',
  taker: 'Taker',
  maker: 'Maker',
  rates: (taker: string, maker: string) => `Taker ${taker} · maker ${maker}`,
  rate: (percent: string, most: string, contracts: string, price: string) =>
    `${percent} of price × (payout − price) ÷ payout: at most ${most} for ${contracts} contracts, at ${price}.`,
  sentence: (who: string, words: string) => `${who} fee: ${words}`,
  inherited: 'Empty: the rate of the category or of the exchange.',
  rateRange: 'Whole basis points, 0 to 1,000. 100 are 1%.',
  day: 'Day',
  event: 'Event',
  byDay: 'By day',
  byEvent: 'By event',
  view: 'View',
  cameIn: 'Charged',
  latest: (rows: number) => plural(rows, { one: 'In the latest row', other: 'In the latest # rows' }),
  collected: 'Kept, of settled events',
  collectedNote: 'Fees of an event are kept once it is settled. If it is voided, they are refunded.',
  empty: 'No fees yet. Rates are set for the exchange, a category, a group or an event.',
  nothingMatches: 'No fees in these days.',
}
