import { plural } from '../plural.js'

type Side = 'yes' | 'no'
type OfferType = 'buy' | 'sell'
const NAMES = { yes: 'YES', no: 'NO' }
const DONE = { buy: 'Bought', sell: 'Sold' }
const ORDER = { buy: 'buy', sell: 'sell' }

export const en = {
  and: ' and ',
  deal: (deal: OfferType, outcome: Side, quantity: string, price: string) =>
    `${DONE[deal]} ${quantity} ${NAMES[outcome]} at ${price}`,
  order: (deal: OfferType, outcome: Side, quantity: string, price: string) =>
    `Your order to ${ORDER[deal]} ${quantity} ${NAMES[outcome]} at ${price}`,
  filled: (deals: string) => `Order filled. ${deals}.`,
  partFilled: (deals: string, left: string) => `Order partly filled. ${deals}; ${left} still to fill.`,
  cancelled: (order: string, why: string) => `${order} was cancelled. ${why}`.trim(),
  expired: (order: string) => `${order} expired.`,
  rejected: (order: string, why: string) => `${order} was rejected. ${why}`.trim(),
  settled: (result: Side, payment: string, gain: string) =>
    `Resolved: ${NAMES[result]}. You received ${payment} (P&L ${gain}).`,
  voided: (payment: string) => `Voided: all trades were reversed. You received ${payment}.`,
  status: {
    open: 'Trading has resumed in a market where you hold contracts.',
    halted: 'Trading is halted in a market where you hold contracts.',
    closed: 'Trading has closed. Your contracts await the result.',
  },
  mentioned: (by: string, text: string) => `${by} mentioned you in a comment: “${text}”`,
  notifications: 'Notifications',
  bell: (count: number) =>
    count === 0 ? 'Notifications' : `Notifications, ${plural(count, { one: '# new', other: '# new' })}`,
  none: 'Nothing yet. Fills, cancelled orders, halts, closings, results and mentions appear here.',
  isNew: 'New',
  allHistory: 'All history',
  settings: 'Settings',
  wants: {
    fills: 'Fills',
    endings: 'Cancelled and rejected orders',
    results: 'Halts, closings, results and payouts',
    mentions: 'Comments that mention you',
    browser: 'Browser notifications while this page is in the background',
    sound: 'Sound',
  },
  refused: 'Your browser blocks notifications from this site. Allow them in its settings.',
  absent: 'Browser notifications need HTTPS.',
  dismiss: 'Dismiss',
  more: (count: number) => `${plural(count, { one: '# more', other: '# more' })} in Notifications`,
}
