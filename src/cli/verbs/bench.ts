import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { LIMITS } from '../../api/limits.js'
import { SOCKET_LIMITS } from '../../api/socket-limits.js'
import type { BenchReport } from '../bench/bench-report.js'
import { benchReport, benchText } from '../bench/bench-report.js'
import type { LoadResult } from '../bench/order-load.js'
import { sendOrders } from '../bench/order-load.js'
import { startOwnExchange } from '../bench/own-exchange.js'
import { Failure, UsageError } from '../exit-errors.js'
import { wholeNumber } from '../input/number.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { dataOption, tokensOf } from '../operator-token.js'
import { jsonOption, option } from '../options.js'
import { addressIn } from '../reach.js'
import { json, printing } from '../run-verb.js'
import { ProgressLine } from '../terminal/progress-line.js'
import type { Connection } from '../with-exchange.js'
import { withExchange } from '../with-exchange.js'

const STOPPED_EARLY = 1
const ORDERS_MAX = 1_000_000
const CONNECTIONS_MAX = 1000
const { connection: MESSAGES_MAX } = SOCKET_LIMITS.inFlightMax
const SECONDS_MAX = 600
/** A process that has just started is slow for a while; that is not measured. */
const WARM_UP_ORDERS_MAX = 2000
const WARM_UP_SHARE = 0.1
const USERS = 200
const DAY_MS = 86_400_000
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i

interface BenchOptions {
  readonly orders: number
  readonly connections: number
  readonly seconds: number
  readonly dir?: string
  readonly url?: string
  readonly data: string
  readonly socket?: true
  readonly inFlight: number
  readonly perFrame: number
  readonly remote?: true
  readonly json?: true
}

/** The exchange to measure. */
interface Place {
  readonly url: string
  readonly token?: string | undefined
}

interface Plan extends Pick<BenchOptions, 'orders' | 'connections' | 'seconds'> {
  /** Undefined for HTTP. */
  readonly socket: { readonly inFlight: number; readonly perFrame: number } | undefined
  readonly signal: AbortSignal
  readonly isQuiet: boolean
}

/** `raay bench`: measures orders per second on a temporary exchange, or on a running one. */
export function benchCommand(): Command {
  const made = command('bench', 'measure orders per second and their latency', [
    'raay bench',
    'raay bench --orders 100000 --connections 200 --dir /srv/raay',
    'raay bench --socket --in-flight 10',
    'raay bench --url http://127.0.0.1:3000 --json',
  ])
  note(
    made,
    `Without --url it starts a temporary exchange, with its data in a new directory, and removes both at the
end. With --url the load trades in an event of its own, which is voided at the end, and sends RAAY_TOKEN or
the operator's key; up to 200 users named
bench-1, bench-2, … stay. A warm-up of a tenth of the orders, up to 2000, is not measured. Ctrl+C ends it
in order.

Exit codes: 0 done, 1 not reachable or ended early, 2 wrong use.`,
  )
  return made
    .addOption(numberOption('--orders', 'most orders to send', ORDERS_MAX, 20_000))
    .addOption(numberOption('--seconds', 'longest duration', SECONDS_MAX, 30))
    .addOption(
      numberOption('--connections', 'connections, over HTTP with one order in flight', CONNECTIONS_MAX, 50),
    )
    .addOption(option('--socket', 'send the orders over WebSockets'))
    .addOption(numberOption('--in-flight', 'messages in flight on each WebSocket', MESSAGES_MAX, 10))
    .addOption(numberOption('--per-frame', 'orders in each message', LIMITS.batchLengthMax, 1))
    .addOption(
      option(
        '--dir <path>',
        "where to create the new directory: the disk to measure (default: the system's)",
      ),
    )
    .addOption(option('--url <address>', 'measure the exchange running there; RAAY_URL is ignored'))
    .addOption(dataOption())
    .addOption(option('--remote', 'allow a --url on another machine'))
    .addOption(jsonOption())
    .action(printing(bench))
}

async function bench(options: BenchOptions): Promise<string> {
  const { url, dir, data, orders, connections, seconds, inFlight, perFrame } = options
  if (url !== undefined && dir !== undefined) {
    throw new UsageError('give --dir for a temporary exchange, or --url for a running one, not both')
  }
  if (inFlight * perFrame > MESSAGES_MAX) {
    throw new UsageError(
      `a WebSocket has at most ${MESSAGES_MAX} orders in flight: lower --in-flight or --per-frame`,
    )
  }
  const socket = options.socket ? { inFlight, perFrame } : undefined
  const running = url === undefined ? undefined : runningExchange(url, options.remote === true)
  const stop = new AbortController()
  const plan = { orders, connections, seconds, socket, signal: stop.signal, isQuiet: options.json === true }
  // A signal ends the load early; its event or its exchange is cleaned up as usual.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort())
  const report = await (running === undefined
    ? benchOwn(plan, dir)
    : benchRunning(plan, { url: running, data }))
  if (stop.signal.aborted) process.exitCode = STOPPED_EARLY
  return options.json ? json(report) : benchText(report)
}

/** Checks that a load on another machine is intended. Throws UsageError. */
function runningExchange(text: string, isRemote: boolean): string {
  const url = addressIn(text)
  if (isRemote || LOOPBACK.test(new URL(url).hostname)) return url
  throw new UsageError(`${url} is another machine: add --remote if it is yours and may be slowed down`)
}

async function benchOwn(plan: Plan, directory: string = tmpdir()): Promise<BenchReport> {
  const exchange = await startOwnExchange(directory)
  try {
    say(plan, `Temporary exchange at ${exchange.url}, its data in ${exchange.data}\n`)
    return await measure(plan, { url: exchange.url }, await createEvent(exchange))
  } finally {
    await exchange.end()
  }
}

async function benchRunning(
  plan: Plan,
  exchange: Connection & { readonly url: string },
): Promise<BenchReport> {
  const { url, data } = exchange
  const { token, adminToken } = tokensOf(process.env, { url, isOwn: false }, data)
  const code = await createEvent(exchange)
  say(plan, `Exchange at ${url}, event ${code}\n`)
  try {
    return await measure(plan, { url, token: token ?? adminToken }, code)
  } finally {
    await voidEvent(exchange, code)
  }
}

/** Creates an event for the load; voiding it gives everyone their money back. */
async function createEvent({ url, data }: Connection): Promise<string> {
  const now = Date.now()
  return withExchange({ url, data }, async ({ operator }) =>
    operator.createMarket({
      title: `raay bench ${randomUUID()}`,
      description: 'A load made by raay bench.',
      start_date: new Date(now - DAY_MS).toISOString(),
      end_date: new Date(now + DAY_MS).toISOString(),
      min_bet: 0,
      max_bet: 1_000_000,
      sot: 'bench',
      quantity: 10_000_000,
    }),
  )
}

async function measure(plan: Plan, at: Place, code: string): Promise<BenchReport> {
  const warmUp = Math.min(WARM_UP_ORDERS_MAX, Math.ceil(plan.orders * WARM_UP_SHARE))
  await load({ ...plan, orders: warmUp, isQuiet: true }, at, code)
  return benchReport({ ...plan, ...at }, await load(plan, at, code))
}

async function load(plan: Plan, at: Place, code: string): Promise<LoadResult> {
  const progress = new ProgressLine(process.stderr, process.stderr.isTTY === true)
  const start = performance.now()
  const onAnswer = (answered: number) => {
    if (plan.isQuiet) return
    const seconds = (performance.now() - start) / 1000
    const share = Math.min(1, Math.max(answered / plan.orders, seconds / plan.seconds))
    progress.update(share, () => paceOf(answered, plan, seconds))
  }
  try {
    return await sendOrders({ ...plan, ...at, onAnswer, bodyOf: () => randomOrder(code) })
  } finally {
    progress.end()
  }
}

/** Formats `9,000 of 20,000 orders, 7,800/s, 1.4 s left`. */
function paceOf(answered: number, { orders, seconds }: Plan, spent: number): string {
  const rate = spent > 0 ? answered / spent : 0
  const left = Math.max(0, Math.min((orders - answered) / rate, seconds - spent))
  const counted = `${answered.toLocaleString('en')} of ${orders.toLocaleString('en')} orders`
  return `${counted}, ${Math.round(rate).toLocaleString('en')}/s, ${left.toFixed(1)} s left`
}

/** Returns an order as in a busy event: near one price, on both sides, mostly small. */
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

async function voidEvent({ url, data }: Connection, code: string): Promise<void> {
  try {
    const resolution = { outcome: 'void', note: 'raay bench is over.' } as const
    await withExchange({ url, data }, ({ operator }) => operator.resolveMarket(code, resolution))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    process.stderr.write(`event ${code} remains: ${error.message}; end it with raay event void ${code}\n`)
  }
}

function numberOption(flag: string, description: string, max: number, fallback: number) {
  return option(`${flag} <n>`, `${description}, 1 to ${max}`)
    .default(fallback)
    .argParser(wholeNumber(flag, 1, max))
}

function say({ isQuiet }: Plan, text: string): void {
  if (!isQuiet) process.stderr.write(text)
}
