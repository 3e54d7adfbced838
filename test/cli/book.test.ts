import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import t from 'tap'
import type { BookScene } from '../../src/cli/book/book-text.js'
import { bookText } from '../../src/cli/book/book-text.js'
import { watchBook } from '../../src/cli/book/book-watch.js'
import { runRaay } from '../fixtures/raay-command.js'
import { startTestServer } from '../fixtures/server-process.js'

const BIN = fileURLToPath(new URL('../../../bin/raay.js', import.meta.url))
const SEEN_WITHIN_MS = 60_000

/** A terminal that records its screen. */
class FakeTerminal extends EventEmitter {
  readonly columns = 80
  readonly rows: number
  written = ''
  #seen: (() => void) | undefined

  constructor(rows: number) {
    super()
    this.rows = rows
  }

  write(text: string): void {
    this.written += text
    this.#seen?.()
  }

  /** The text of the last drawing. */
  get screen(): string {
    const drawing = this.written.split('\u001b[H').at(-1) ?? ''
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences of a terminal
    return drawing.replace(/\u001b\[[\d;?]*[a-zA-Z]|\r/g, '')
  }

  async shows(t: Test, wanted: string | RegExp): Promise<void> {
    const found = () => (typeof wanted === 'string' ? this.screen.includes(wanted) : wanted.test(this.screen))
    const end = performance.now() + SEEN_WITHIN_MS
    while (!found() && performance.now() < end) {
      const written = new Promise<void>(resolve => {
        this.#seen = resolve
      })
      const timer = setTimeout(() => this.#seen?.(), end - performance.now())
      await written
      clearTimeout(timer)
    }
    t.match(this.screen, wanted)
  }
}

const SCENE: BookScene = {
  title: 'Rain?',
  payout: 10,
  book: {
    event_id: '1000001',
    seq: 1,
    status: 'open',
    bids: [
      [5.5, 100],
      [5.4, 1],
    ],
    asks: [[5.7, 50]],
    last_price: 5.5,
  },
  trades: [
    {
      tradeId: '1000001-1',
      event_id: '1000001',
      price: 5.5,
      qty: 1250.5,
      taker_side: 'no',
      ts: '2026-11-21T18:30:01.000Z',
    },
  ],
  user: undefined,
  orders: [],
  connection: undefined,
}

t.test('a book is drawn with bars in proportion to the quantities, at least one block each', async t => {
  t.equal(
    bookText(SCENE, { columns: 61, levels: 10, trades: 5 }),
    `1000001  Rain?
open   last 5.50   spread 0.20

                        bids   asks
██████████       100    5.50 │ 5.70    50        █████
         █         1    5.40 │

time UTC   price   quantity  YES
18:30:01    5.50    1,250.5  sold`,
  )
  t.match(
    bookText(SCENE, { columns: 61, levels: 1, trades: 0 }),
    /5\.50 │ 5\.70 [^\n]*$/,
    'no more than asked',
  )
  const narrow = bookText(SCENE, { columns: 20, levels: 2, trades: 0 })
  t.notOk(narrow.includes('█'), 'no room for bars')
  const book = { ...SCENE.book, bids: [], asks: [], last_price: null }
  t.match(bookText({ ...SCENE, book, trades: [] }, { columns: 61, levels: 5, trades: 5 }), 'open   last -\n')
})

t.test("the user's orders are marked on the side and at the price where they rest", async t => {
  const server = await startTestServer(t)
  const { client, url } = server
  const code = await client.createEvent()
  const place = (fields: object) => client.placeOrder(code, { userid: 'asha', ...fields })
  await place({ l1_expected_price: 4.1 })
  await place({ l1_expected_price: 3.3, outcome: 'no' })
  await client.placeOrder(code, { userid: 'ben', l1_expected_price: 4 })
  const { stdout } = await runRaay(['book', code, '--user', 'asha', '--url', url])
  t.match(stdout, / 1 {3}\*4\.10 │ 6\.70\* {3}1 +█+\n/)
  t.match(stdout, / 1 {4}4\.00 │\n/)
  t.match(stdout, '* asha: buy 1 NO @ 3.30, buy 1 YES @ 4.10\n')
  const other = await runRaay(['book', code, '--user', 'ben', '--url', url])
  t.match(other.stdout, / 4\.10 │ 6\.70 /)
  t.match(other.stdout, /\*4\.00/)
})

t.test(
  'a book is redrawn as it changes and after a lost connection, and the terminal is restored',
  async t => {
    const server = await startTestServer(t)
    const { client } = server
    const code = await client.createEvent({ title: 'a\u001b[2Jb' })
    await client.placeOrder(code, { userid: 'asha', l1_expected_price: 4.1 })
    const shown = await runRaay(['book', code, '--once', '--json', '--url', server.url])
    const { type, ...book } = JSON.parse(shown.stdout) as BookScene['book'] & { readonly type: string }
    t.equal(type, 'book')
    const terminal = new FakeTerminal(12)
    let stop: (() => void) | undefined
    const stopped = new Promise<void>(resolve => {
      stop = resolve
    })
    const scene = { ...SCENE, title: 'a\u001b[2Jb', book, trades: [], user: 'asha' }
    const watching = watchBook({ url: server.url }, scene, {
      terminal,
      levels: undefined,
      stopped,
    })
    await terminal.shows(t, /1 {3}\*4\.10 │\n/)
    await client.placeOrder(code, { userid: 'asha', l1_expected_price: 4.3, l1_order_quantity: 2 })
    await terminal.shows(t, / 2 {3}\*4\.30 │\n/)
    await client.placeOrder(code, { userid: 'ben', offer_type: 'sell', l1_expected_price: 4.3 })
    await terminal.shows(t, /4\.30 +1 {2}sold/)
    t.notOk(terminal.written.includes('\u001b[2J'), 'a title is only text')

    await server.close()
    await terminal.shows(t, 'offline: reconnecting')
    const again = await startTestServer(t, { port: server.port, data: server.data })
    await terminal.shows(t, /^open {3}last 4\.30$/m)
    await again.client.placeOrder(code, { userid: 'cora', l1_expected_price: 4.5 })
    await terminal.shows(t, '4.50 │')

    stop?.()
    await watching
    t.ok(terminal.written.startsWith('\u001b[?1049h\u001b[?25l'), 'another screen, no cursor')
    t.ok(terminal.written.endsWith('\u001b[?25h\u001b[?1049l'), 'as it was')
    t.equal(terminal.listenerCount('resize'), 0)
  },
)

t.test('--json prints a line for each state and each trade, and Ctrl+C exits with 0', async t => {
  const { url, client } = await startTestServer(t)
  const code = await client.createEvent()
  await client.placeOrder(code, { userid: 'asha', l1_order_quantity: 5 })
  const child = spawn(process.execPath, [BIN, 'book', code, '--json', '--url', url])
  t.teardown(() => child.kill('SIGKILL'))
  const ended = once(child, 'close')
  const lines: Record<string, unknown>[] = []
  for await (const text of createInterface(child.stdout)) {
    const line = JSON.parse(text) as Record<string, unknown>
    lines.push(line)
    if (line.type === 'book' && lines.filter(({ type }) => type === 'book').length === 1) {
      await client.placeOrder(code, { userid: 'ben', offer_type: 'sell', l1_order_quantity: 2 })
    }
    // Books and trades are printed side by side: either may be first.
    const isTraded = lines.some(({ type }) => type === 'trade')
    const isShown = lines.some(({ type, bids }) => type === 'book' && String(bids) === '5,3')
    if (isTraded && isShown && !child.killed) child.kill('SIGINT')
  }
  t.same(await ended, [0, null])
  t.match(
    lines.find(({ type }) => type === 'book'),
    { event_id: code, bids: [[5, 5]], asks: [] },
  )
  t.match(
    lines.find(({ type }) => type === 'trade'),
    { tradeId: `${code}-1`, price: 5, qty: 2, taker_side: 'no' },
  )
  t.ok(lines.some(({ connection }) => connection === 'live'))
})

t.test('a book that cannot be shown is refused at once', async t => {
  const { url } = await startTestServer(t)
  const rows: readonly (readonly [string, number, string])[] = [
    ['1000009', 1, 'raay: Event not found\n'],
    ['1000009 --json', 1, 'raay: Event not found\n'],
    ['1000009 --url http://127.0.0.1:1', 1, 'start it with raay start, or give --url'],
    ['rain', 2, '"rain" is not a valid event code'],
    ['1000001 1000002', 2, 'usage: raay book <code>\n'],
    ['1000001 --depth 0', 2, '--depth is 0: give a whole number from 1 to 1000'],
    ['1000001 --dept 1', 2, "unknown option '--dept' (Did you mean --depth?)"],
  ]
  for (const [line, code, message] of rows) {
    const ended = await runRaay(['book', ...line.split(' ')], { RAAY_URL: url })
    t.same([ended.code, ended.stdout], [code, ''], line)
    t.match(ended.stderr, message)
  }
})
