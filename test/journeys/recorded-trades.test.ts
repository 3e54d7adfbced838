import type { Test } from 'tap'
import t from 'tap'
import { orderSchema, toOrderRequest } from '../../src/api/orders/order-schema.js'
import type { MarketCode } from '../../src/core/units.js'
import { amount, toRupees, UNITS_PER_RUPEE } from '../../src/core/units.js'
import { fingerprintOf } from '../../src/exchange/orders/request-fingerprint.js'
import type { RecordedTrade } from '../fixtures/recorded-trades.js'
import { readRecordedTrades } from '../fixtures/recorded-trades.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'
import type { TestServer } from '../fixtures/server-process.js'
import { startTestServer } from '../fixtures/server-process.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'

/** Enough for every trade of the record with the same two users. */
const STARTING_BALANCE = amount(10_000_000_000 * UNITS_PER_RUPEE)
/** A market with a payout of ₹10 takes prices from ₹0.10 to ₹9.90 (specification 10.3). */
const fitsTenRupees = ({ thousandths }: RecordedTrade) => thousandths >= 10 && thousandths <= 990

const TRADES_AT_ONCE = 500

/** The trades of one recorded market, and the event that replays them. */
interface Replay {
  readonly event: string
  /** ₹10, or ₹100 for long shots: a price of ₹0.05 is below the API's minimum, ₹0.50 is not. */
  readonly payout: number
  readonly trades: readonly RecordedTrade[]
}

type Role = 'maker' | 'taker'

interface ToldTrade {
  readonly price: number
  readonly qty: number
  readonly taker_side: string
}

const recorded = readRecordedTrades()
const skip = recorded === undefined ? 'the file of recorded trades is not beside the project' : false

t.test('replays recorded trades of real markets with their order, price and size', { skip }, async t => {
  const data = dataDirectory(t)
  const config = { data, startingBalance: STARTING_BALANCE }
  let server = await startTestServer(t, config)
  const replays = await createEvents(server, recorded ?? [])
  t.equal(replays.length, 4)

  for (const userid of ['maker', 'taker']) await openAccount(server, replays[0]?.event ?? '', userid)
  const half = (replay: Replay) => Math.floor(replay.trades.length / 2)
  await Promise.all(replays.map(replay => play(t, server, replay, 0, half(replay))))
  const before = await stateOf(server, replays)
  await server.close()
  server = await startTestServer(t, config)
  await server.client.untilDayCounted(replays.map(({ event }) => event))
  t.same(await stateOf(server, replays), before, 'a restart in the middle changes nothing')

  await Promise.all(replays.map(replay => play(t, server, replay, half(replay), replay.trades.length)))
  t.ok(server.exchange.moneyIsAllThere())
  for (const { event, trades } of replays) {
    const { body } = await server.client.get(`/events/${event}`)
    const volume = trades.reduce((sum, { quantity }) => sum + Math.round(quantity * 100), 0) / 100
    t.match(body.additional, { volume, traders: 2, best_bid: null, best_ask: null })
  }
  t.same(server.faults, [])
})

/** Opens a user's account with a refused order, because a first order takes longer than later ones. */
async function openAccount(server: TestServer, event: string, userid: string): Promise<void> {
  await server.client.placeOrder(event, { userid, l1_expected_price: 99_999 })
}

async function createEvents(server: TestServer, all: readonly RecordedTrade[]): Promise<Replay[]> {
  const titles = [...new Set(all.map(({ market }) => market))]
  return Promise.all(
    titles.map(async title => {
      const trades = all.filter(({ market }) => market === title)
      const payout = trades.every(fitsTenRupees) ? 10 : 100
      const limits = { max_bet: 1e9, quantity: 1e8 }
      return { event: await server.client.createEvent({ title, payout, ...limits }), payout, trades }
    }),
  )
}

/**
 * Plays each trade as two crossing orders of two users, in recorded order, as fast as the desk takes
 * them; then compares the messages of the channel.
 */
async function play(t: Test, server: TestServer, replay: Replay, from: number, to: number): Promise<void> {
  const { event, payout, trades } = replay
  const socket = await WsClient.connect(t, server.client.wsUrl())
  await socket.subscribe(event)
  const part = trades.slice(from, to)
  for (let next = 0; next < part.length; next += TRADES_AT_ONCE) {
    const some = part.slice(next, next + TRADES_AT_ONCE)
    await Promise.all(
      some.flatMap(trade => [place(server, event, trade, 'maker'), place(server, event, trade, 'taker')]),
    )
  }
  await server.exchange.drain()
  const told: ToldTrade[] = []
  while (told.length < part.length) {
    told.push(...((await socket.nextData(event, 'trade')).trades as unknown as ToldTrade[]))
  }
  const expected = part.map(trade => ({
    price: rupees(trade, payout),
    qty: trade.quantity,
    taker_side: trade.takerBuys ? 'yes' : 'no',
  }))
  t.same(
    told.map(({ price, qty, taker_side }) => ({ price, qty, taker_side })),
    expected,
    `event ${event}`,
  )
}

/** Places such an order as HTTP would. */
async function place(server: TestServer, event: string, trade: RecordedTrade, userid: Role): Promise<void> {
  const market = server.exchange.market(Number(event) as MarketCode)
  if (market === undefined) throw new Error(`there is no event ${event}`)
  const { payout } = market.terms
  const body = orderSchema.parse({
    event_id: event,
    l1_expected_price: rupees(trade, toRupees(payout)),
    l1_order_quantity: trade.quantity,
    offer_type: trade.takerBuys === (userid === 'taker') ? 'buy' : 'sell',
    order_type: 'LO',
    userid,
  })
  const order = await server.exchange.placeOrder(toOrderRequest(body, market.terms, fingerprintOf))
  if (typeof order === 'string') throw new Error(`the desk is busy: ${order}`)
}

function rupees({ thousandths }: RecordedTrade, payout: number): number {
  return (thousandths * payout) / 1000
}

async function stateOf(server: TestServer, replays: readonly Replay[]): Promise<unknown> {
  const paths = ['maker', 'taker'].flatMap(user => [
    `/portfolio/${user}/balance`,
    `/portfolio/${user}/positions`,
  ])
  const events = replays.flatMap(({ event }) => [`/events/${event}`, `/events/${event}/orderbook`])
  const answers = await Promise.all([...paths, ...events].map(path => server.client.get(path)))
  return { answers: answers.map(({ body }) => body.additional), hashes: await server.exchange.stateHashes() }
}
