import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { RaayClient } from '../../src/client/node-client.js'
import { spawnTestServer, startTestServer } from '../fixtures/server-process.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const FILE = `${ROOT}test/client/market-maker.js`
const LINES_MAX = 70

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

t.test('hedges what it holds too much of, and survives kill -9 of the exchange', async t => {
  const first = await spawnTestServer(t)
  const code = await first.client.createEvent()
  const bot = spawn(process.execPath, [FILE, code], {
    env: { PATH: process.env.PATH, RAAY_URL: first.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => bot.kill('SIGKILL'))
  bot.stderr.resume()
  const closed = once(bot, 'close')
  const said: string[] = []
  createInterface(bot.stdout).on('line', line => said.push(line))
  const client = new RaayClient({ url: first.url, userid: 'ravi' })
  t.teardown(() => client.close())
  /** Waits until the maker has quotes at these prices, and no other orders. */
  const quotes = async (...prices: number[]) => {
    for await (const { bids } of client.watchOrderBook(code)) {
      // Before its first quotes the exchange does not know the maker.
      if (bids.length === 0) continue
      const open = await client.fetchOpenOrders({ userid: 'maker' })
      if (
        open
          .map(({ price }) => price)
          .sort()
          .join() === prices.join()
      )
        return
    }
  }
  await quotes(4.8, 5.2)
  const sale = { event_id: code, offer_type: 'sell', order_type: 'MO', price: 5, quantity: 10 } as const
  t.match(await client.createOrder(sale), { filled_quantity: 10 })
  await quotes(4.75, 5.15)

  t.equal(await first.kill('SIGKILL'), 'SIGKILL')
  const flags = ['--port', new URL(first.url).port]
  const second = await spawnTestServer(t, { data: first.data, flags })
  t.equal(second.url, first.url)
  t.same((await client.fetchOpenOrders({ userid: 'maker' })).length, 2, 'the quotes are still in force')
  t.match(await client.createOrder(sale), { filled_quantity: 10, average_price: 4.75 })
  await quotes(4.7, 5.1)
  const bid = { ...sale, offer_type: 'buy', order_type: 'LO', price: 4.69, userid: 'kiran' } as const
  t.match(await client.createOrder(bid), { state: 'resting' })
  t.match(await client.createOrder({ ...sale, quantity: 5 }), { average_price: 4.7 })
  await quotes(4.65, 5.05)
  bot.kill('SIGINT')
  await closed
  t.equal(said.at(-1), 'hedged 5 yes')
  t.same(await client.fetchOpenOrders({ userid: 'maker' }), [])
  await second.kill('SIGTERM')
})
