import type { ClientOptions, Order, OrderBook, RaayError, Trade } from '../../client/node-client.js'
import { RaayClient } from '../../client/node-client.js'
import type { Terminal } from '../terminal/screen.js'
import { Screen } from '../terminal/screen.js'
import type { BookScene, BookSize } from './book-text.js'
import { bookText } from './book-text.js'

const DRAW_EVERY_MS = 100
const TRADES_KEPT = 100
const LEVELS_MAX = 20
const TRADES_MAX = 10
/** Lines that show neither a level nor a trade. */
const OTHER_LINES = 9

const CONNECTIONS: Readonly<Record<string, string>> = {
  offline: 'offline: reconnecting',
  catching_up: 'catching up',
}

interface Watching {
  readonly terminal: Terminal
  /** Levels per side; undefined for as many as fit. */
  readonly levels: number | undefined
  readonly stopped: Promise<void>
}

/**
 * Draws a book on a terminal as it changes until it is stopped, then restores the terminal. Throws RaayError.
 */
export async function watchBook(
  reach: Pick<ClientOptions, 'url' | 'fetch' | 'WebSocket'>,
  scene: BookScene,
  { terminal, levels, stopped }: Watching,
): Promise<void> {
  const client = new RaayClient({ ...reach, attemptsMax: 5 })
  const screen = new Screen(terminal)
  const live = new LiveBook(scene, now => screen.draw(bookText(now, sizeOf(terminal, levels))))
  const failed = new Promise<never>((_, reject) => {
    const onError = (error: RaayError) => reject(error)
    const { event_id: code } = scene.book
    client.watchOrderBook(code, { onUpdate: book => live.setBook(book), onError })
    const options = { after: scene.trades[0]?.tradeId }
    client.watchTrades(code, options, { onUpdate: trade => live.addTrade(trade), onError })
    if (scene.user !== undefined) {
      const onUpdate = () => live.setOrders(orders.state ?? [])
      const orders = client.watchOrders({ userid: scene.user }, { onUpdate, onError })
      // The first state has the orders of before; if it never comes, `onError` is called.
      orders.ready().then(onUpdate, () => undefined)
    }
  })
  client.onConnection(connection => live.setConnection(CONNECTIONS[connection]))
  const redraw = () => live.draw()
  const restore = () => screen.close()
  terminal.on('resize', redraw)
  // Restores the terminal however the process ends.
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

/** Returns how many levels and trades fit. */
function sizeOf({ columns = 80, rows = 24 }: Terminal, wanted: number | undefined): BookSize {
  const room = Math.max(2, rows - OTHER_LINES)
  const levels = wanted ?? Math.min(LEVELS_MAX, Math.ceil(room * 0.6))
  return { columns, levels, trades: Math.max(0, Math.min(TRADES_MAX, room - levels)) }
}

/** The latest state of a book, drawn shortly after changes: one drawing may cover many of them. */
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

  setBook(book: OrderBook): void {
    this.#change({ book })
  }

  setOrders(orders: readonly Order[]): void {
    this.#change({ orders: orders.filter(({ event_id }) => event_id === this.#scene.book.event_id) })
  }

  addTrade(trade: Trade): void {
    this.#change({ trades: [trade, ...this.#scene.trades].slice(0, TRADES_KEPT) })
  }

  setConnection(connection: string | undefined): void {
    this.#change({ connection })
  }

  /** Stops drawing, even if updates still arrive. */
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
