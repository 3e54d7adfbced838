import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { ConfigError } from '../../server/config.js'
import type { BenchReport } from '../bench/bench-report.js'
import { benchReport, benchText } from '../bench/bench-report.js'
import type { LoadResult } from '../bench/order-load.js'
import { sendOrders } from '../bench/order-load.js'
import { startOwnExchange } from '../bench/own-exchange.js'
import type { Server } from '../client.js'
import { CallError, call, serverAt } from '../client.js'
import { readFlags } from '../flags.js'
import { wholeNumberOf } from '../input/number.js'
import { answering, json } from '../run-verb.js'
import { ProgressLine } from '../terminal/progress-line.js'

const CANNOT = 1
const ORDERS_MAX = 1_000_000
const CONNECTIONS_MAX = 1000
const SECONDS_MAX = 600
/** A process that has just started is slow for a while, which is no figure of anything. */
const WARM_UP_ORDERS_MAX = 2000
const WARM_UP_SHARE = 0.1
const USERS = 200
const DAY_MS = 86_400_000
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i

const OPTIONS = {
  orders: { type: 'string' },
  connections: { type: 'string' },
  seconds: { type: 'string' },
  dir: { type: 'string' },
  url: { type: 'string' },
  remote: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

interface Plan {
  readonly orders: number
  readonly connections: number
  readonly seconds: number
  readonly signal: AbortSignal
  readonly isQuiet: boolean
}

/** `raay bench`: how many orders a second, on an exchange of its own or on one that runs. */
export function bench(argv: readonly string[]): Promise<void> {
  return answering(async () => {
    const { values: flags, positionals } = readFlags(argv, OPTIONS, 'bench')
    if (positionals.length > 0) throw new ConfigError('bench takes flags only; raay help bench lists them')
    const stop = new AbortController()
    const plan = {
      orders: wholeNumberOf('--orders', flags.orders ?? '20000', 1, ORDERS_MAX),
      connections: wholeNumberOf('--connections', flags.connections ?? '50', 1, CONNECTIONS_MAX),
      seconds: wholeNumberOf('--seconds', flags.seconds ?? '30', 1, SECONDS_MAX),
      signal: stop.signal,
      isQuiet: flags.json === true,
    }
    if (flags.url !== undefined && flags.dir !== undefined) {
      throw new ConfigError('give --dir for an exchange of its own, or --url for one that runs, not both')
    }
    const running = flags.url === undefined ? undefined : runningServer(flags.url, flags.remote === true)
    // What was begun is ended in order, whoever asks for the end.
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort())
    const report = await (running === undefined ? benchOwn(plan, flags.dir) : benchRunning(plan, running))
    if (stop.signal.aborted) process.exitCode = CANNOT
    return flags.json ? json(report) : benchText(report)
  })
}

/** Load on somebody's machine is to be meant. Throws ConfigError. */
function runningServer(url: string, isRemote: boolean): Server {
  const server = serverAt(url, process.env)
  if (isRemote || LOOPBACK.test(new URL(server.url).hostname)) return server
  throw new ConfigError(`${server.url} is another machine: add --remote where it is yours and it may be slow`)
}

async function benchOwn(plan: Plan, directory: string = tmpdir()): Promise<BenchReport> {
  const exchange = await startOwnExchange(directory)
  try {
    say(plan, `An exchange of its own at ${exchange.url}, its data in ${exchange.data}\n`)
    const server = { url: exchange.url, token: undefined }
    return await measure(plan, server, await createEvent(server))
  } finally {
    await exchange.end()
  }
}

async function benchRunning(plan: Plan, server: Server): Promise<BenchReport> {
  const code = await createEvent(server)
  say(plan, `The exchange at ${server.url}, event ${code}\n`)
  try {
    return await measure(plan, server, code)
  } finally {
    await voidEvent(server, code)
  }
}

/** The load has an event of its own; once it is voided everyone has what they had before. */
async function createEvent(server: Server): Promise<string> {
  const now = Date.now()
  const code = await call(server, 'POST', '/events/create', {
    title: `raay bench ${randomUUID()}`,
    description: 'A load made by raay bench; nothing in it is meant.',
    start_date: new Date(now - DAY_MS).toISOString(),
    end_date: new Date(now + DAY_MS).toISOString(),
    min_bet: 0,
    max_bet: 1_000_000,
    sot: 'bench',
    quantity: 10_000_000,
  })
  return String(code)
}

async function measure(plan: Plan, server: Server, code: string): Promise<BenchReport> {
  const warmUp = Math.min(WARM_UP_ORDERS_MAX, Math.ceil(plan.orders * WARM_UP_SHARE))
  await load({ ...plan, orders: warmUp, isQuiet: true }, server, code)
  return benchReport(server.url, plan.connections, await load(plan, server, code))
}

async function load(plan: Plan, { url }: Server, code: string): Promise<LoadResult> {
  const progress = new ProgressLine(process.stderr, process.stderr.isTTY === true)
  const start = performance.now()
  const told = (answered: number) => {
    if (plan.isQuiet) return
    const seconds = (performance.now() - start) / 1000
    const share = Math.min(1, Math.max(answered / plan.orders, seconds / plan.seconds))
    progress.tell(share, () => paceOf(answered, plan, seconds))
  }
  try {
    return await sendOrders({ ...plan, url, told, bodyOf: () => randomOrder(code) })
  } finally {
    progress.end()
  }
}

/** `9,000 of 20,000 orders, 7,800/s, 1.4 s left` */
function paceOf(answered: number, { orders, seconds }: Plan, spent: number): string {
  const rate = spent > 0 ? answered / spent : 0
  const left = Math.max(0, Math.min((orders - answered) / rate, seconds - spent))
  const counted = `${answered.toLocaleString('en')} of ${orders.toLocaleString('en')} orders`
  return `${counted}, ${Math.round(rate).toLocaleString('en')}/s, ${left.toFixed(1)} s left`
}

/** An order as a busy event sees them: around one price, of both sides, most of them small. */
function randomOrder(code: string): string {
  const isBuy = Math.random() < 0.5
  const distance = Math.floor(Math.random() * 16) - 3
  return JSON.stringify({
    event_id: code,
    l1_expected_price: (500 + (isBuy ? -distance : distance)) / 100,
    l1_order_quantity: (1 + Math.floor(Math.random() * 500)) / 10,
    offer_type: isBuy ? 'buy' : 'sell',
    order_type: Math.random() < 0.05 ? 'MO' : 'LO',
    userid: `bench-${1 + Math.floor(Math.random() * USERS)}`,
  })
}

async function voidEvent(server: Server, code: string): Promise<void> {
  try {
    await call(server, 'POST', `/events/${code}/resolve`, { outcome: 'void', note: 'raay bench is over.' })
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    process.stderr.write(`event ${code} is left: ${error.message}; end it with raay event void ${code}\n`)
  }
}

function say({ isQuiet }: Plan, text: string): void {
  if (!isQuiet) process.stderr.write(text)
}
