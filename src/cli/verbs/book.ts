import type { ClientOptions, OrderBook } from '../../client/node-client.js'
import { bookText } from '../book/book-text.js'
import { watchBook } from '../book/book-watch.js'
import { eventCode } from '../input/event-code.js'
import { wholeNumber } from '../input/number.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { option } from '../options.js'
import { json, printing, readerGone, written } from '../run-verb.js'
import type { Connection } from '../with-exchange.js'
import { addConnection, withExchange } from '../with-exchange.js'
import { RaayClient } from '../../client/node-client.js'
import { waitForSignal } from '../wait-for-signal.js'
import type { BookScene } from '../book/book-text.js'

const LEVELS = 10
const LEVELS_MAX = 1000
const TRADES = 5
const TRADES_FETCHED = 100
const ORDERS_MARKED_MAX = 1000
const COLUMNS = 80

interface BookOptions extends Connection {
  readonly once?: true
  readonly depth?: number
  readonly user?: string
}

/** `raay book <code>`: the order book of an event, live on a terminal, or once, or as JSON lines. */
export function bookCommand(): Command {
  const made = command('book', "watch an event's order book in the terminal", [
    'raay book 1000001 --user asha',
    'raay book 1000001 --once --depth 3',
    'raay book 1000001 --json --depth 1',
  ])
  note(
    made,
    `Bids are on the left, asks on the right, best first, at YES prices; below them the latest trades. Ctrl+C
ends it. If the connection is lost it says so, reconnects, and misses nothing. With --json it prints a line
for each state of the book, each trade and each change of the connection; with --once a single line.

Exit codes: 0 done, 1 refused or not reachable, 2 wrong use.`,
  )
  return addConnection(
    made
      .argument('<code>', 'the event', eventCode)
      .addOption(option('--once', 'print the book once; the default without a terminal'))
      .addOption(
        option(
          '--depth <n>',
          `levels per side, 1 to ${LEVELS_MAX} (default: as many as fit, else ${LEVELS})`,
        ).argParser(wholeNumber('--depth', 1, LEVELS_MAX)),
      )
      .addOption(option('--user <id>', "mark this user's orders with *")),
  ).action(printing(book))
}

async function book(code: string, options: BookOptions): Promise<string> {
  const { depth = LEVELS } = options
  return withExchange(options, async (client, reach) => {
    // Fetching the scene first reports a failure at once; a watch would retry.
    const scene = await sceneOf(client, code, depth, options.user)
    const { stdout } = process
    if (options.json) {
      if (options.once) return json({ type: 'book', ...scene.book })
      await printBook(reach, scene, depth, stdout)
      return ''
    }
    if (options.once || stdout.isTTY !== true) {
      return `${bookText(scene, { columns: stdout.columns ?? COLUMNS, levels: depth, trades: TRADES })}\n`
    }
    const stopped = Promise.race([waitForSignal(), readerGone(stdout)])
    await watchBook(reach, scene, { terminal: stdout, levels: options.depth, stopped })
    return ''
  })
}

async function sceneOf(
  client: RaayClient,
  code: string,
  depth: number,
  user: string | undefined,
): Promise<BookScene> {
  const { title, payout } = await client.fetchMarket(code)
  const shown = await client.fetchOrderBook(code, depth)
  const trades = await client.fetchTrades(code, { limit: TRADES_FETCHED })
  const which = { event_id: code, limit: ORDERS_MARKED_MAX }
  const orders = user === undefined ? [] : await client.fetchOpenOrders({ ...which, userid: user })
  return { title, payout, book: shown, trades, user, orders, connection: undefined }
}

/**
 * Prints a line of JSON for each state of a book and for each trade, until a signal ends it or nobody reads
 * on. A slow reader gets fewer books, the latest ones, but every trade. Throws RaayError, also if too many
 * trades are unread.
 */
async function printBook(
  reach: Pick<ClientOptions, 'url' | 'fetch' | 'WebSocket'>,
  scene: BookScene,
  depth: number,
  output: NodeJS.WriteStream,
): Promise<void> {
  const client = new RaayClient({ ...reach, attemptsMax: 5 })
  const { event_id: code } = scene.book
  const gone = readerGone(output)
  const print = (line: object) => written(output, json(line))
  const books = async () => {
    for await (const book of client.watchOrderBook(code)) await print({ type: 'book', ...cut(book, depth) })
  }
  const trades = async () => {
    const after = scene.trades[0]?.tradeId
    for await (const trade of client.watchTrades(code, { after })) await print({ type: 'trade', ...trade })
  }
  client.onConnection(connection => void print({ type: 'connection', connection }))
  try {
    await Promise.race([Promise.all([books(), trades()]), waitForSignal(), gone])
  } finally {
    client.close()
  }
}

function cut(book: OrderBook, depth: number): OrderBook {
  return { ...book, bids: book.bids.slice(0, depth), asks: book.asks.slice(0, depth) }
}
