import { randomUUID } from 'node:crypto'
import { ConfigError } from '../../server/config.js'
import type { Server } from '../client.js'
import { CallError, call, serverAt } from '../client.js'
import type { Action, Written } from '../flags.js'
import { readAction, wrongWords } from '../flags.js'
import { eventCode } from '../input/event-code.js'
import { wholeNumberOf } from '../input/number.js'
import { offerFrom } from '../input/offer.js'
import { openOrders } from '../open-orders.js'
import { allPages } from '../pages.js'
import { answering, json } from '../run-verb.js'
import type { OrderView } from './order-text.js'
import { orderLine, orderSheet, orderTable } from './order-text.js'

const CANNOT = 1
const LIST_LENGTH = '100'
const LIST_LENGTH_MAX = 100_000

const ACTIONS: Readonly<Record<string, Action>> = {
  place: {
    words: '<code> buy|sell <quantity> [yes|no] @ <price>|market',
    texts: ['user', 'time-in-force', 'expires', 'valid-until', 'self-trade', 'key'],
    switches: ['post-only', 'reduce-only'],
    isFree: true,
  },
  list: { words: '', texts: ['user', 'event', 'state', 'limit'], switches: ['open'] },
  show: { words: '<id>' },
  cancel: { words: '<id>', texts: ['user', 'event'], switches: ['all'], isFree: true },
}

/** `raay order <action> …`: what a trader does on a running exchange. */
export function order(argv: readonly string[]): Promise<void> {
  return answering(async () => {
    const written = readAction('order', ACTIONS, argv)
    const server = serverAt(written.texts.url, process.env)
    switch (written.action) {
      case 'place':
        return place(server, written)
      case 'list':
        return list(server, written)
      case 'cancel':
        return written.switches.all ? cancelAll(server, written) : cancel(server, written)
      default:
        return show(server, written)
    }
  })
}

/** Waits until the order is decided. Exit code 1 where nothing was traded and nothing is in the book. */
async function place(server: Server, written: Written): Promise<string> {
  const offer = offerFrom(written, Date.now())
  if (offer === undefined) throw wrongWords('order', 'place', ACTIONS.place?.words ?? '')
  const key = written.texts.key ?? randomUUID()
  const body = { ...offer, userid: userOf(written), client_order_id: key }
  try {
    const placed = (await call(server, 'POST', '/order/initiate', body)) as OrderView
    if (cameToNothing(placed)) process.exitCode = CANNOT
    return written.switches.json ? json(placed) : orderLine(placed)
  } catch (error) {
    if (!(error instanceof CallError && error.mayBeDone)) throw error
    const advice = `whether the order counts is not known; the same again with --key ${key} counts once`
    throw new CallError(`${error.message}; ${advice}`)
  }
}

async function list(server: Server, written: Written): Promise<string> {
  const { texts, switches } = written
  const { event, state, limit } = texts
  if (state !== undefined && switches.open) throw new ConfigError('give --state or --open, not both')
  const lengthMax = wholeNumberOf('--limit', limit ?? LIST_LENGTH, 1, LIST_LENGTH_MAX)
  const code = event === undefined ? undefined : eventCode(event)
  const filter = {
    userid: userOf(written),
    ...(code !== undefined && { event_id: code }),
    ...(state !== undefined && { state }),
  }
  const { rows, hasMore } = switches.open
    ? await openOrders(server, filter.userid, code, lengthMax)
    : await allPages<OrderView>(server, '/order', filter, 'orders', lengthMax)
  if (hasMore) process.stderr.write(`the newest ${rows.length} only: --limit ${LIST_LENGTH_MAX} shows more\n`)
  return switches.json ? json(rows) : orderTable(rows)
}

async function show(server: Server, { words: [id = ''], switches }: Written): Promise<string> {
  const found = (await call(server, 'GET', `/order/${encodeURIComponent(id)}`)) as OrderView
  return switches.json ? json(found) : orderSheet(found)
}

async function cancel(server: Server, { words, texts, switches }: Written): Promise<string> {
  const [id] = words
  if (id === undefined || words.length > 1 || texts.event !== undefined || texts.user !== undefined) {
    throw wrongWords('order', 'cancel', '<id>, or raay order cancel --all --user <id> [--event <code>]')
  }
  const ended = (await call(server, 'DELETE', `/order/${encodeURIComponent(id)}`)) as OrderView
  return switches.json ? json(ended) : orderLine(ended)
}

async function cancelAll(server: Server, written: Written): Promise<string> {
  const { words, texts, switches } = written
  if (words.length > 0) throw wrongWords('order', 'cancel', '--all --user <id> [--event <code>]')
  const query = new URLSearchParams({ userid: userOf(written) })
  if (texts.event !== undefined) query.set('event_id', eventCode(texts.event))
  const { orders } = (await call(server, 'DELETE', `/order?${query}`)) as { readonly orders: OrderView[] }
  if (switches.json) return json(orders)
  return orders.length === 0 ? 'There was no open order.\n' : orders.map(orderLine).join('')
}

/** Nothing was traded, and nothing waits to be. */
function cameToNothing({ state, filled_quantity }: OrderView): boolean {
  return state !== 'queued' && state !== 'resting' && filled_quantity === 0
}

/** Whose order it is. Throws ConfigError where nobody is named. */
function userOf({ texts }: Written): string {
  const user = texts.user ?? (process.env.RAAY_USER || undefined)
  if (user !== undefined) return user
  throw new ConfigError('say whose order it is: --user <id>, or the variable RAAY_USER')
}
