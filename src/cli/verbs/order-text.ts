import { reasonWords } from '../../api/orders/order-reason-texts.js'
import type { Order } from '../../client/node-client.js'
import { contracts, rupees } from '../terminal/figures.js'
import { paint } from '../terminal/paint.js'
import { printable } from '../terminal/printable.js'
import { minute, table } from '../terminal/table.js'

const HEAD = ['id', 'placed (UTC)', 'offer', 'quantity', 'price', 'filled', 'average', 'state']
const ALIGNMENTS = [undefined, undefined, undefined, 'right', 'right', 'right', 'right'] as const

/** Formats the result of an order as a sentence. */
export function orderLine(order: Order): string {
  const { id, filled_quantity: filled, remaining_quantity: left } = order
  const did = order.offer_type === 'buy' ? 'bought' : 'sold'
  const outcome = order.outcome.toUpperCase()
  const traded = `${did} ${contracts(filled)} ${outcome} at ${rupees(order.average_price)} on average`
  const result = filled > 0 ? traded : `${did} nothing`
  const rests = `${contracts(left)} ${outcome} at ${rupees(order.price)}`
  const until = order.expires_at === null ? '' : ` until ${minute(order.expires_at)} UTC`
  const user = printable(order.userid)
  switch (order.state) {
    case 'filled':
      return `${id} is ${good('filled')}: ${user} ${traded}.\n`
    case 'partially_filled':
      return `${id} is ${good('partially filled')}: ${user} ${traded}; ${rests} rest in the book${until}.\n`
    case 'resting':
      return `${id} ${good('rests in the book')}: ${user} ${order.offer_type}s ${rests}${until}.\n`
    case 'queued':
      return `${id} is queued: ${user} ${order.offer_type}s ${rests}.\n`
    case 'rejected':
      return `${id} is ${bad('rejected')}: ${reasonOf(order)}.\n`
    default:
      return `${id} is ${bad(order.state)}: ${reasonOf(order)}; ${user} ${result}.\n`
  }
}

/** Formats orders as a table with one line each. */
export function orderTable(orders: readonly Order[]): string {
  const rows = orders.map(order => [
    order.id,
    minute(order.createdAt),
    `${order.offer_type} ${order.outcome.toUpperCase()}`,
    contracts(order.quantity),
    priceOf(order),
    contracts(order.filled_quantity),
    rupees(order.average_price),
    order.reason === null ? order.state : `${order.state} (${order.reason})`,
  ])
  return table([HEAD, ...rows], ALIGNMENTS)
}

/** Formats one order, a line per field. */
export function orderSheet(order: Order): string {
  const fields: readonly (readonly [string, string | null])[] = [
    ['order', order.id],
    ['event', order.event_id],
    ['user', printable(order.userid)],
    ['offer', `${order.offer_type} ${contracts(order.quantity)} ${order.outcome.toUpperCase()}`],
    ['price', priceOf(order)],
    ['state', order.state],
    ['reason', order.reason === null ? null : `${order.reason}: ${reasonOf(order)}`],
    ['filled', contracts(order.filled_quantity)],
    ['average', order.average_price === null ? null : rupees(order.average_price)],
    ['remaining', contracts(order.remaining_quantity)],
    ['instructions', instructionsOf(order)],
    ['expires (UTC)', order.expires_at && exact(order.expires_at)],
    ['key', order.client_order_id === null ? null : printable(order.client_order_id)],
    ['placed (UTC)', exact(order.createdAt)],
    ['updated (UTC)', exact(order.updatedAt)],
  ]
  return table(fields.flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

/** Formats a time to the millisecond: `2026-11-21 18:30:05.250`, UTC. */
const exact = (iso: string) => iso.replace('T', ' ').replace('Z', '')

const priceOf = ({ order_type, price }: Order) => (order_type === 'MO' ? 'market' : rupees(price))

function instructionsOf({ time_in_force, post_only, reduce_only }: Order): string {
  return [time_in_force, ...(post_only ? ['post-only'] : []), ...(reduce_only ? ['reduce-only'] : [])].join(
    ', ',
  )
}

function reasonOf({ reason }: Order): string {
  return reason === null ? 'no reason given' : printable(reasonWords(reason))
}

const good = (text: string) => paint('green', text)
const bad = (text: string) => paint('yellow', text)
