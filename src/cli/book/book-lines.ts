import type { ClientOptions, OrderBook } from '../../client/node-client.js'
import { RaayClient } from '../../client/node-client.js'
import { json, readerGone, written } from '../run-verb.js'
import { waitForSignal } from '../wait-for-signal.js'
import type { BookScene } from './book-text.js'

/**
 * Prints a line of JSON for each state of a book and for each trade, until a signal ends it or nobody reads
 * on. A slow reader gets fewer books, the latest ones, but every trade. Throws RaayError, also if too many
 * trades are unread.
 */
export async function printBook(
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
