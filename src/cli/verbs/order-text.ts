import type { CancelReason, OrderState, Refusal } from '../../core/order.js'
import { contracts, rupees } from '../terminal/figures.js'
import { paint } from '../terminal/paint.js'
import { printable } from '../terminal/printable.js'
import { minute, table } from '../terminal/table.js'

/** What of an order the command line shows; `GET /order/:id` has more. */
export interface OrderView {
  readonly id: string
  readonly event_id: string
  readonly userid: string
  readonly offer_type: 'buy' | 'sell'
  readonly outcome: 'yes' | 'no'
  readonly order_type: 'LO' | 'MO'
  readonly time_in_force: string
  readonly expires_at: string | null
  readonly price: number
  readonly quantity: number
  readonly state: OrderState
  readonly reason: string | null
  readonly filled_quantity: number
  readonly remaining_quantity: number
  readonly average_price: number | null
  readonly post_only: boolean
  readonly reduce_only: boolean
  readonly client_order_id: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

const REASONS: Readonly<Record<Refusal | CancelReason, string>> = {
  market_not_open: 'trading has not begun',
  market_halted: 'the event is halted',
  market_closed: 'trading is over',
  order_expired: 'its time had passed',
  order_would_take: 'a post-only order would have traded at once',
  order_changed: 'the order had changed meanwhile',
  position_insufficient: 'a reduce-only order is for more than its user holds',
  price_out_of_range: 'the price is outside what the event allows',
  price_off_tick: "the price is no multiple of the event's tick",
  quantity_off_step: 'the quantity is no multiple of 0.01',
  quantity_too_large: 'the quantity is too large',
  bet_below_min: "the order costs less than the event's minimum",
  bet_above_max: "the order costs more than the event's maximum",
  funds_insufficient: 'the money does not suffice',
  user_cancelled: 'its user cancelled it',
  self_trade: 'it would have met an order of the same user',
  no_liquidity: 'nobody else was there to trade with',
  event_capacity: "the event's contracts are used up",
  fill_or_kill: 'it could not be filled whole at once',
  order_replaced: 'an amended order took its place',
}

const HEAD = ['id', 'placed', 'offer', 'quantity', 'price', 'filled', 'average', 'state']
const ALIGNMENTS = [undefined, undefined, undefined, 'right', 'right', 'right', 'right'] as const

/** What has become of an order, in a sentence. */
export function orderLine(order: OrderView): string {
  const { id, filled_quantity: filled, remaining_quantity: left } = order
  const did = order.offer_type === 'buy' ? 'bought' : 'sold'
  const outcome = order.outcome.toUpperCase()
  const traded = `${did} ${contracts(filled)} ${outcome} at ${rupees(order.average_price)} on average`
  const all = filled > 0 ? traded : `${did} nothing`
  const waits = `${contracts(left)} ${outcome} at ${rupees(order.price)}`
  const until = order.expires_at === null ? '' : ` until ${minute(order.expires_at)} UTC`
  const user = printable(order.userid)
  switch (order.state) {
    case 'filled':
      return `${id} is ${good('filled')}: ${user} ${traded}.\n`
    case 'partially_filled':
      return `${id} is ${good('partly filled')}: ${user} ${traded}; ${waits} wait in the book${until}.\n`
    case 'resting':
      return `${id} ${good('waits in the book')}: ${user} ${order.offer_type}s ${waits}${until}.\n`
    case 'queued':
      return `${id} is queued: ${user} ${order.offer_type}s ${waits}.\n`
    case 'rejected':
      return `${id} is ${bad('rejected')}: ${reasonOf(order)}.\n`
    default:
      return `${id} is ${bad(order.state)}: ${reasonOf(order)}; ${user} ${all}.\n`
  }
}

/** One line an order, below a head. */
export function orderTable(orders: readonly OrderView[]): string {
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

/** One order, a line a field. */
export function orderSheet(order: OrderView): string {
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
    ['left', contracts(order.remaining_quantity)],
    ['in force', executionInstructions(order)],
    ['expires', order.expires_at],
    ['key', order.client_order_id === null ? null : printable(order.client_order_id)],
    ['placed', order.createdAt],
    ['updated', order.updatedAt],
  ]
  return table(fields.flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

const priceOf = ({ order_type, price }: OrderView) => (order_type === 'MO' ? 'market' : rupees(price))

function executionInstructions({ time_in_force, post_only, reduce_only }: OrderView): string {
  return [time_in_force, ...(post_only ? ['post-only'] : []), ...(reduce_only ? ['reduce-only'] : [])].join(
    ', ',
  )
}

/** A newer exchange may know reasons that are not known here. */
function reasonOf({ reason }: OrderView): string {
  const known = REASONS as Readonly<Record<string, string>>
  return reason === null ? 'no reason is told' : (known[reason] ?? printable(reason))
}

const good = (text: string) => paint('green', text)
const bad = (text: string) => paint('yellow', text)
