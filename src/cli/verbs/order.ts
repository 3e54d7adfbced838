import { randomUUID } from 'node:crypto'
import type {
  Order,
  OrderState,
  RaayClient,
  SelfTradePrevention,
  TimeInForce,
} from '../../client/node-client.js'
import { stillOpen } from '../../api/answer-texts.js'
import { ORDER_STATES } from '../../core/order.js'
import { UsageError } from '../exit-errors.js'
import { eventCode } from '../input/event-code.js'
import type { Tolerance } from '../input/capped-order.js'
import { leftAtLimit, limitAtMarket, placedBefore, toleranceIn } from '../input/capped-order.js'
import { moment } from '../input/moment-option.js'
import { wholeNumber } from '../input/number.js'
import { offerIn } from '../input/offer.js'
import { ofUser, userIn, userOption } from '../input/order-user.js'
import { limitedRows } from '../limited-rows.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { choice, option } from '../options.js'
import { json, printing } from '../run-verb.js'
import type { Connection } from '../with-exchange.js'
import { addConnection, withExchange } from '../with-exchange.js'
import { orderLine, orderSheet, orderTable } from './order-text.js'
import { quotesCommand } from './order-quotes.js'

const NOTHING_DONE = 1
const TOLERANCE_PERCENT = 1
const LIST_LENGTH = 100
const LIST_LENGTH_MAX = 100_000
const FORCES = ['GTC', 'GTD', 'IOC', 'FOK']
const SELF_TRADES = ['taker', 'maker', 'off']
const WHEN = '2026-12-31T18:30:00Z or +1h'
const PLACE_USAGE = '<code> buy|sell <quantity> [yes|no] @ <price>|market'
const CANCEL_USAGE = '<id> | --all --user <id> [--event <code>]'

interface PlaceOptions extends Connection {
  readonly user?: string
  readonly timeInForce?: TimeInForce
  readonly expires?: string
  readonly validUntil?: string
  readonly postOnly?: true
  readonly reduceOnly?: true
  readonly selfTrade?: SelfTradePrevention
  readonly key?: string
  readonly tolerance: Tolerance
}

interface ListOptions extends Connection {
  readonly user?: string
  readonly event?: string
  readonly state?: OrderState
  readonly open?: true
  readonly limit: number
}

interface CancelOptions extends Connection {
  readonly all?: true
  readonly user?: string
  readonly event?: string
}

/** `raay order <action> …`: what a trader does on a running exchange. */
export function orderCommand(): Command {
  const made = command('order', 'place, list, show, cancel and quote orders', [
    'raay order place 1000001 buy 10 @ 6.5 --user asha',
    'raay order place 1000001 buy 10 no @ 3.5 --user ravi --expires +2h',
    'raay order place 1000001 sell 4 @ market --user asha',
    'raay order list --user asha --open',
    'raay order cancel --all --user asha --event 1000001',
  ])
  note(
    made,
    'Exit codes: 0 done, 1 refused, not reachable, or neither filled nor resting in the book, 2 wrong use.',
  )
  return made
    .addCommand(placeCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(cancelCommand())
    .addCommand(quotesCommand())
}

function placeCommand(): Command {
  const [expires, validUntil] = [moment('--expires'), moment('--valid-until')]
  const made = command('place', 'place an order and print its result', [
    'raay order place 1000001 buy 10 @ 6.5 --user asha',
    'raay order place 1000001 sell 4 no @ market --user asha --time-in-force fok',
    'raay order place 1000001 buy 10 @ 6.5 --user asha --expires +2h --post-only',
  ])
  note(
    made,
    `The price is that of the outcome named, YES by default. Selling contracts that the user does not hold
buys the other outcome. An order at market is sent with a limit: the worst price that the book shows
for it, and the tolerance.`,
  )
  return addConnection(
    made
      .usage(`${PLACE_USAGE} [options]`)
      .argument('<words...>')
      .addOption(userOption('whose order it is; a new user starts with play money'))
      .addOption(choice('--time-in-force <word>', 'how long the order rests in the book', FORCES))
      .addOption(option('--expires <when>', `when the order leaves the book: ${WHEN}`).argParser(expires))
      .addOption(option('--valid-until <when>', 'reject the order if processed later').argParser(validUntil))
      .addOption(option('--post-only', 'reject the order if it would trade at once'))
      .addOption(option('--reduce-only', 'reject the order if it sells more than the user holds'))
      .addOption(choice('--self-trade <word>', 'which of two orders of one user is cancelled', SELF_TRADES))
      .addOption(
        option('--tolerance <percent>', 'at market: how much of the payout the price may slip, or any')
          .default(TOLERANCE_PERCENT)
          .argParser(toleranceIn),
      )
      .addOption(option('--key <name>', 'your own name for the order, which is placed once only')),
  ).action(printing(place))
}

function listCommand(): Command {
  return addConnection(
    command('list', "list a user's orders, newest first", ['raay order list --user asha --open'])
      .addOption(userOption('whose orders'))
      .addOption(option('--event <code>', 'only orders of this event').argParser(eventCode))
      .addOption(choice('--state <state>', 'only orders in this state', ORDER_STATES).conflicts('open'))
      .addOption(option('--open', 'only open orders'))
      .addOption(
        option('--limit <n>', `how many orders to show, 1 to ${LIST_LENGTH_MAX}`)
          .default(LIST_LENGTH)
          .argParser(wholeNumber('--limit', 1, LIST_LENGTH_MAX)),
      ),
  ).action(printing(list))
}

function showCommand(): Command {
  return addConnection(
    command('show', 'show one order', ['raay order show 1000001-1-hT3vXkPqZ2']).argument('<id>'),
  ).action(
    printing(async (id: string, options: Connection) => {
      const found = await withExchange(options, client => client.fetchOrder(id))
      return options.json ? json(found) : orderSheet(found)
    }),
  )
}

function cancelCommand(): Command {
  return addConnection(
    command('cancel', 'cancel one order, or all open orders of a user', [
      'raay order cancel 1000001-1-hT3vXkPqZ2',
      'raay order cancel --all --user asha --event 1000001',
    ])
      .usage(`${CANCEL_USAGE} [options]`)
      .argument('[id]')
      .addOption(option('--all', 'cancel all open orders of the user'))
      .addOption(userOption('with --all: whose orders'))
      .addOption(option('--event <code>', 'with --all: only orders of this event').argParser(eventCode)),
  ).action(printing(cancel))
}

/** Waits for the result of the order. Sets exit code 1 if it neither traded nor rests in the order book. */
async function place(words: readonly string[], options: PlaceOptions): Promise<string> {
  const offer = offerIn(words)
  if (offer === undefined) throw new UsageError(`usage: raay order place ${PLACE_USAGE}`)
  const { key = randomUUID(), timeInForce, expires, validUntil, selfTrade } = options
  const request = {
    ...offer,
    ...ofUser(userIn(options)),
    client_order_id: key,
    ...(timeInForce !== undefined && { time_in_force: timeInForce }),
    ...(expires !== undefined && { expires_at: expires }),
    ...(validUntil !== undefined && { valid_until: validUntil }),
    ...(selfTrade !== undefined && { self_trade_prevention: selfTrade }),
    ...(options.postOnly && { post_only: true }),
    ...(options.reduceOnly && { reduce_only: true }),
  }
  const isAtMarket = offer.order_type === 'MO'
  const send = async (client: RaayClient) => {
    const before = isAtMarket && options.key !== undefined ? await placedBefore(client, request) : undefined
    return before ?? client.createOrder(await limitAtMarket(client, request, options.tolerance))
  }
  const placed = await withExchange(options, send, {
    retryAdvice: `the order may have been placed; repeat it with --key ${key} to place it only once`,
  })
  if (cameToNothing(placed)) process.exitCode = NOTHING_DONE
  if (options.json) return json(placed)
  return orderLine(placed) + (isAtMarket ? leftAtLimit(placed) : '')
}

async function list(options: ListOptions): Promise<string> {
  const { event, state, open } = options
  const which = { userid: userIn(options), ...(event !== undefined && { event_id: event }) }
  const orders = await withExchange(options, client =>
    limitedRows(options.limit, LIST_LENGTH_MAX, 'newest', limit =>
      open
        ? client.fetchOpenOrders({ ...which, limit })
        : client.fetchOrders({ ...which, limit, ...(state !== undefined && { state }) }),
    ),
  )
  return options.json ? json(orders) : orderTable(orders)
}

async function cancel(id: string | undefined, options: CancelOptions, made: Command): Promise<string> {
  // RAAY_USER may be set for other actions; only the option asks for a whole user's orders.
  const isScoped = options.event !== undefined || made.getOptionValueSource('user') === 'cli'
  if (options.all && id === undefined) return cancelAll(options)
  if (options.all || id === undefined || isScoped) {
    throw new UsageError(`usage: raay order cancel ${CANCEL_USAGE}`)
  }
  const ended = await withExchange(options, client => client.cancelOrder(id))
  return options.json ? json(ended) : orderLine(ended)
}

async function cancelAll(options: CancelOptions): Promise<string> {
  const { event } = options
  const which = { userid: userIn(options), ...(event !== undefined && { event_id: event }) }
  const answer = await withExchange(options, client => client.cancelAllOrders(which))
  const { orders, ended, still_open } = answer
  if (still_open > 0) process.exitCode = NOTHING_DONE
  if (options.json) return json(answer)
  if (ended === 0 && still_open === 0) return 'No open orders.\n'
  const more = ended > orders.length ? `${ended - orders.length} more are cancelled.\n` : ''
  const open = still_open > 0 ? `${stillOpen(still_open)}.\n` : ''
  return orders.map(orderLine).join('') + more + open
}

/** Returns whether the order neither traded nor can trade any more. */
function cameToNothing({ state, filled_quantity }: Order): boolean {
  return state !== 'queued' && state !== 'resting' && filled_quantity === 0
}
