import type { Order, OrderBook, RaayError, Trade } from '../../client/node-client.js'
import { RaayClient } from '../../client/node-client.js'
import type { Server } from '../client.js'
import { CallError } from '../client.js'
import type { Terminal } from '../terminal/screen.js'
import { Screen } from '../terminal/screen.js'
import type { BookScene, BookSize } from './book-text.js'
import { bookText } from './book-text.js'

const DRAW_EVERY_MS = 100
const TRADES_KEPT = 100
const LEVELS_MAX = 20
const TRADES_MAX = 10
/** The lines that are neither levels nor trades. */
const OTHER_LINES = 9

const CONNECTIONS: Readonly<Record<string, string>> = {
  offline: 'offline: trying to reach the exchange again',
  catching_up: 'catching up',
}

interface Watching {
  readonly terminal: Terminal
  /** How many levels a side; as many as there is room for where it is not said. */
  readonly levels: number | undefined
  readonly stopped: Promise<void>
}

/** Draws a book on a terminal as it changes, until it is stopped, and leaves the terminal as it was. */
export async function watchBook(
  server: Server,
  scene: BookScene,
  { terminal, levels, stopped }: Watching,
): Promise<void> {
  const client = new RaayClient({ url: server.url })
  const screen = new Screen(terminal)
  const live = new LiveBook(scene, now => screen.draw(bookText(now, sizeOf(terminal, levels))))
  const failed = new Promise<never>((_, reject) => {
    const onError = (error: RaayError) => reject(new CallError(error.message))
    const { event_id: code } = scene.book
    client.watchOrderBook(code, { onUpdate: book => live.hearBook(book), onError })
    const options = { after: scene.trades[0]?.tradeId }
    client.watchTrades(code, options, { onUpdate: trade => live.hearTrade(trade), onError })
    if (scene.user !== undefined) {
      const onUpdate = () => live.hearOrders(orders.state ?? [])
      const orders = client.watchOrders({ userid: scene.user }, { onUpdate, onError })
      // What happened before it was watched is in its first state; where there is none, `onError` knows.
      orders.ready().then(onUpdate, () => undefined)
    }
  })
  client.onConnection(connection => live.hearConnection(CONNECTIONS[connection]))
  const redraw = () => live.draw()
  const restore = () => screen.close()
  terminal.on('resize', redraw)
  // However the process ends, its terminal is left as it was.
  process.once('exit', restore)
  try {
    live.draw()
    await Promise.race([failed, stopped])
  } finally {
    process.off('exit', restore)
    terminal.off('resize', redraw)
    client.close()
    live.close()
    restore()
  }
}

/** As many levels and trades as there is room for. */
function sizeOf({ columns = 80, rows = 24 }: Terminal, wanted: number | undefined): BookSize {
  const room = Math.max(2, rows - OTHER_LINES)
  const levels = wanted ?? Math.min(LEVELS_MAX, Math.ceil(room * 0.6))
  return { columns, levels, trades: Math.max(0, Math.min(TRADES_MAX, room - levels)) }
}

/** What is known of a book, drawn soon after it has changed, but not for each of many changes. */
class LiveBook {
  readonly #show: (scene: BookScene) => void
  #scene: BookScene
  #drawing: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(scene: BookScene, show: (scene: BookScene) => void) {
    this.#scene = scene
    this.#show = show
  }

  draw(): void {
    this.#drawing ??= setTimeout(() => {
      this.#drawing = undefined
      this.#show(this.#scene)
    }, DRAW_EVERY_MS)
  }

  hearBook(book: OrderBook): void {
    this.#change({ book })
  }

  hearOrders(orders: readonly Order[]): void {
    this.#change({ orders: orders.filter(({ event_id }) => event_id === this.#scene.book.event_id) })
  }

  hearTrade(trade: Trade): void {
    this.#change({ trades: [trade, ...this.#scene.trades].slice(0, TRADES_KEPT) })
  }

  hearConnection(connection: string | undefined): void {
    this.#change({ connection })
  }

  /** Nothing is drawn any more, whatever is still under way. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#drawing)
  }

  #change(part: Partial<BookScene>): void {
    if (this.#isClosed) return
    this.#scene = { ...this.#scene, ...part }
    this.draw()
  }
}
