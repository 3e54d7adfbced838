import { once } from 'node:events'
import type { OrderBook } from '../../client/node-client.js'
import { RaayClient, RaayError } from '../../client/node-client.js'
import type { Server } from '../client.js'
import { CallError } from '../client.js'
import { json } from '../run-verb.js'
import { stopped } from '../wait-for-signal.js'
import type { BookScene } from './book-text.js'

/**
 * A line of JSON for each state of a book and for each trade, until it is stopped. Who reads slowly is told
 * fewer books, but the newest; and each trade, or an error where there are too many. Throws CallError.
 */
export async function printBook(
  server: Server,
  scene: BookScene,
  depth: number,
  output: NodeJS.WriteStream,
): Promise<string> {
  const client = new RaayClient({ url: server.url })
  const { event_id: code } = scene.book
  const print = async (line: object) => {
    if (!output.write(json(line))) await once(output, 'drain')
  }
  const books = async () => {
    for await (const book of client.watchOrderBook(code)) await print({ type: 'book', ...cut(book, depth) })
  }
  const trades = async () => {
    const after = scene.trades[0]?.tradeId
    for await (const trade of client.watchTrades(code, { after })) await print({ type: 'trade', ...trade })
  }
  client.onConnection(connection => void print({ type: 'connection', connection }))
  try {
    await Promise.race([Promise.all([books(), trades()]), stopped()])
    return ''
  } catch (error) {
    if (error instanceof RaayError) throw new CallError(error.message)
    throw error
  } finally {
    client.close()
  }
}

function cut(book: OrderBook, depth: number): OrderBook {
  return { ...book, bids: book.bids.slice(0, depth), asks: book.asks.slice(0, depth) }
}
