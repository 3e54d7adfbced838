import type { OrderBook, Trade } from '../../client/node-client.js'
import { ConfigError } from '../../server/config.js'
import { printBook } from '../book/book-lines.js'
import type { BookScene } from '../book/book-text.js'
import { bookText } from '../book/book-text.js'
import { watchBook } from '../book/book-watch.js'
import type { Server } from '../client.js'
import { call, serverAt } from '../client.js'
import { readFlags } from '../flags.js'
import { eventCode } from '../input/event-code.js'
import { wholeNumberOf } from '../input/number.js'
import { ordersMarked } from '../open-orders.js'
import { answering, json } from '../run-verb.js'
import { stopped } from '../wait-for-signal.js'
import type { EventView } from './event-text.js'

const LEVELS = '10'
const LEVELS_MAX = 1000
const TRADES = 5
const COLUMNS = 80

const OPTIONS = {
  url: { type: 'string' },
  json: { type: 'boolean' },
  once: { type: 'boolean' },
  depth: { type: 'string' },
  user: { type: 'string' },
} as const

/** `raay book <code>`: the book of an event, live in a terminal, or once, or as lines for programs. */
export function book(argv: readonly string[]): Promise<void> {
  return answering(async () => {
    const { values: flags, positionals } = readFlags(argv, OPTIONS, 'book')
    const [code, ...more] = positionals
    if (code === undefined || more.length > 0) {
      throw new ConfigError('write raay book <code>; raay help book says more')
    }
    const server = serverAt(flags.url, process.env)
    const depth = wholeNumberOf('--depth', flags.depth ?? LEVELS, 1, LEVELS_MAX)
    // What cannot work is told at once, before anything is tried again and again.
    const scene = await sceneOf(server, eventCode(code), depth, flags.user)
    const { stdout } = process
    if (flags.once !== true && flags.json === true) return printBook(server, scene, depth, stdout)
    if (flags.json === true) return json({ type: 'book', ...scene.book })
    if (flags.once === true || stdout.isTTY !== true) {
      return `${bookText(scene, { columns: stdout.columns ?? COLUMNS, levels: depth, trades: TRADES })}\n`
    }
    const levels = flags.depth === undefined ? undefined : depth
    await watchBook(server, scene, { terminal: stdout, levels, stopped: stopped() })
    return ''
  })
}

async function sceneOf(
  server: Server,
  code: string,
  depth: number,
  user: string | undefined,
): Promise<BookScene> {
  const path = `/events/${code}`
  const { title, payout } = (await call(server, 'GET', path)) as EventView & { readonly payout: number }
  const shown = (await call(server, 'GET', `${path}/orderbook?depth=${depth}`)) as OrderBook
  const found = (await call(server, 'GET', `${path}/trades?limit=100`)) as { readonly trades: Trade[] }
  const orders = user === undefined ? [] : await ordersMarked(server, user, code)
  return { title, payout, book: shown, trades: found.trades, user, orders, connection: undefined }
}
