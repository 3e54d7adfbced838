import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { RaayClient } from '../../src/client/node-client.js'
import { startTestServer } from '../fixtures/server-process.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const FILE = `${ROOT}test/client/market-maker.js`
const LINES_MAX = 30

t.test('the bot in the client guide is the one tested here, and is short', async t => {
  const bot = readFileSync(FILE, 'utf8')
  const guide = readFileSync(`${ROOT}src/docs/guides/client.md`, 'utf8')
  t.ok(guide.includes(`\`\`\`js\n${bot}\`\`\`\n`))
  const code = bot.split('\n').filter(line => line !== '' && !line.startsWith('//'))
  t.ok(code.length <= LINES_MAX, `${code.length} lines`)
})

t.test('quotes both sides, requotes after a fill, and leaves nothing behind', async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent()
  const bot = spawn(process.execPath, [FILE, code], {
    env: { PATH: process.env.PATH, RAAY_URL: server.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => bot.kill('SIGKILL'))
  // 'close', not 'exit': by then all its lines have arrived.
  const exited = once(bot, 'close')
  const said: string[] = []
  createInterface(bot.stdout).on('line', line => said.push(line))

  const client = new RaayClient({ url: server.url, userid: 'ravi' })
  t.teardown(() => client.close())
  const book = client.watchOrderBook(code)
  /** Waits until the book has these levels, the quotes. */
  const quotes = async (bid: number, ask: number) => {
    for await (const { bids, asks } of client.watchOrderBook(code)) {
      if (bids.length === 1 && asks.length === 1 && bids[0]?.[0] === bid && asks[0]?.[0] === ask) return
    }
  }
  await quotes(4.8, 5.2)
  const order = { event_id: code, order_type: 'MO', price: 5 } as const
  t.match(await client.createOrder({ ...order, offer_type: 'sell', quantity: 4 }), { average_price: 4.8 })
  await quotes(4.75, 5.15)
  t.match(await client.createOrder({ ...order, offer_type: 'buy', quantity: 10 }), { average_price: 5.15 })
  await quotes(4.8, 5.2)
  t.same(book.state?.bids, [[4.8, 10]])
  t.equal((await client.fetchOpenOrders({ userid: 'maker' })).length, 2)

  bot.kill('SIGINT')
  t.same(await exited, [0, null], 'it stops by itself')
  t.same(said, ['yes 4 at 4.8: now around 4.95', 'no 10 at 5.15: now around 5.00'])
  t.same(await client.fetchOpenOrders({ userid: 'maker' }), [])
  const { bids, asks } = await client.fetchOrderBook(code)
  t.same([bids, asks], [[], []])
  t.ok(server.exchange.moneyIsAllThere())
})
