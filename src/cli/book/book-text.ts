import type { Level, Order, OrderBook, Trade } from '../../client/node-client.js'
import { contracts } from '../terminal/figures.js'
import { paint } from '../terminal/paint.js'
import { printable } from '../terminal/printable.js'
import { shortened } from '../terminal/table.js'

/** Everything that a drawing of a book shows. */
export interface BookScene {
  readonly title: string
  readonly payout: number
  readonly book: OrderBook
  /** Newest first. */
  readonly trades: readonly Trade[]
  /** The user whose orders are marked, and their open orders. */
  readonly user: string | undefined
  readonly orders: readonly Order[]
  /** A warning about the connection; undefined while it is live. */
  readonly connection: string | undefined
}

export interface BookSize {
  readonly columns: number
  /** Levels per side. */
  readonly levels: number
  readonly trades: number
}

/** The width of a row without its two bars. */
const FIGURES_WIDTH = 41
const BAR_WIDTH_MAX = 40
const MARK = '*'
const ORDERS_SHOWN = 2

/** Formats a book as lines of text: bids on the left, asks on the right, best first, at YES prices. */
export function bookText(scene: BookScene, { columns, levels, trades }: BookSize): string {
  const { book, user, orders } = scene
  const bids = book.bids.slice(0, levels)
  const asks = book.asks.slice(0, levels)
  const most = [...bids, ...asks].reduce((largest, [, quantity]) => Math.max(largest, quantity), 0)
  const width = Math.max(0, Math.min(BAR_WIDTH_MAX, Math.floor((columns - FIGURES_WIDTH) / 2)))
  const bar = (quantity: number) => '█'.repeat(most === 0 ? 0 : Math.ceil((quantity / most) * width))
  const own = ownPrices(orders, scene.payout)
  const rows = Array.from({ length: Math.max(bids.length, asks.length, 1) }, (_, row) => {
    const left = bidText(bids[row], width, bar, own.yes)
    return `${left} ${paint('gray', '│')} ${askText(asks[row], bar, own.no)}`.trimEnd()
  })
  const head = `${'bids'.padStart(width + 18)}   asks`
  return [
    `${paint('bold', book.event_id)}  ${shortened(printable(scene.title), Math.max(10, columns - 9))}`,
    stateText(scene),
    '',
    paint('gray', head),
    ...rows,
    ...tradeLines(scene.trades.slice(0, trades)),
    ...(user === undefined ? [] : ['', ownText(user, orders)]),
  ].join('\n')
}

/** Formats the status line: `open   last 6.50   spread 0.20`. */
function stateText({ book, connection }: BookScene): string {
  const [[bid] = [], [ask] = []] = [book.bids[0], book.asks[0]]
  const status = book.status === 'open' ? paint('green', book.status) : paint('yellow', book.status)
  const last = `last ${book.last_price === null ? '-' : price(book.last_price)}`
  const spread = bid === undefined || ask === undefined ? [] : [`spread ${price(ask - bid)}`]
  const trouble = connection === undefined ? [] : [paint('red', connection)]
  return [status, last, ...spread, ...trouble].join('   ')
}

type Bar = (quantity: number) => string

function bidText(level: Level | undefined, width: number, bar: Bar, own: ReadonlySet<number>): string {
  if (level === undefined) return ' '.repeat(width + 18)
  const [at, quantity] = level
  const mark = own.has(cents(at)) ? MARK : ''
  const figures = `${contracts(quantity).padStart(9)} ${(mark + price(at)).padStart(7)}`
  return `${paint('green', bar(quantity).padStart(width))} ${paint('green', figures)}`
}

function askText(level: Level | undefined, bar: Bar, own: ReadonlySet<number>): string {
  if (level === undefined) return ''
  const [at, quantity] = level
  const mark = own.has(cents(at)) ? MARK : ''
  const figures = `${(price(at) + mark).padEnd(7)} ${contracts(quantity).padEnd(9)}`
  return paint('red', `${figures} ${bar(quantity)}`.trimEnd())
}

function tradeLines(trades: readonly Trade[]): string[] {
  if (trades.length === 0) return []
  const rows = trades.map(({ ts, price: at, qty, taker_side }) => {
    const isBuy = taker_side === 'yes'
    const text = `${price(at).padStart(6)}  ${contracts(qty).padStart(9)}  ${isBuy ? 'bought' : 'sold'}`
    return `${ts.slice(11, 19)}  ${paint(isBuy ? 'green' : 'red', text)}`
  })
  return ['', paint('gray', 'time UTC   price   quantity  YES'), ...rows]
}

function ownText(user: string, orders: readonly Order[]): string {
  const name = printable(user)
  if (orders.length === 0) return `${name} has no open orders here`
  const texts = orders.slice(0, ORDERS_SHOWN).map(order => {
    const left = `${contracts(order.remaining_quantity)} ${order.outcome.toUpperCase()}`
    return `${order.offer_type} ${left} @ ${price(order.price)}`
  })
  const more = orders.length > texts.length ? [`${orders.length - texts.length} more`] : []
  return `${MARK} ${name}: ${[...texts, ...more].join(', ')}`
}

/** Returns the YES prices at which the user's orders rest, on each side. */
function ownPrices(orders: readonly Order[], payout: number): Record<'yes' | 'no', Set<number>> {
  const own = { yes: new Set<number>(), no: new Set<number>() }
  for (const order of orders) {
    const yesPrice = order.outcome === 'yes' ? order.price : payout - order.price
    const isBid = (order.offer_type === 'buy') === (order.outcome === 'yes')
    own[isBid ? 'yes' : 'no'].add(cents(yesPrice))
  }
  return own
}

/** Rounds to whole paise: payout − price as a float may be slightly off. */
const cents = (rupees: number) => Math.round(rupees * 100)

const price = (rupees: number) => rupees.toFixed(2)
