import type { Amount, TimeMs } from '../core/units.js'
import { Exchange } from '../exchange/exchange.js'
import type { Sources } from '../exchange/sources.js'
import { Board } from './board.js'
import { CUP } from './cup.js'
import { Operator } from './demo-operator.js'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.js'
import { Chance } from './seeded-random.js'
import type { Series } from './series.js'
import { SERIES } from './series.js'
import { Trading } from './trading.js'

/** The last hours advance minute by minute, those before in larger strides. */
const RECENT_MS = 2 * HOUR_MS
const STRIDE_MS = { recent: MINUTE_MS, before: 30 * MINUTE_MS }
const TURNS_MIN = 3
const TURNS_MAX = 6
const QUEUE_LENGTH_MAX = 8192
const EVENTS_MAX = 20_000
/** Shortest time left to an event that is open now. */
const LENGTH_LEFT_MIN_MS = HOUR_MS
/** Series whose previous event is included as well: one that was called off, and one that was resolved. */
const TOLD_BEFORE: readonly string[] = ['cricket', 'weather', 'stocks']
const LOOK_BACK_MS = 12 * DAY_MS

export interface HistoryOptions {
  /** The path of the file to create; it must not exist. */
  readonly file: string
  readonly seed: number
  /** End of the history and start of the demo. */
  readonly now: TimeMs
  readonly startingBalance: Amount
  /** Called with the share completed, from 0 to 1. */
  readonly progress: (share: number) => void
}

interface PlannedEvent {
  readonly series: Series
  readonly startAt: TimeMs
  readonly endAt: TimeMs
}

/**
 * Creates the days before the demo: the exchange itself, on a clock that runs ahead, takes the bots' orders.
 * So everything in the file follows from trades, and the same seed and time make the same file.
 */
export async function makeHistory(options: HistoryOptions): Promise<void> {
  const { file, seed, now: end, startingBalance } = options
  const plan = planned(end)
  const begin = plan.reduce<number>((first, { startAt }) => Math.min(first, startAt), end) as TimeMs
  const clock = { now: begin }
  // A failed call is never answered, so the failure is awaited alongside.
  let fail: (error: Error) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  const exchange = await Exchange.open({
    file,
    // One thread and one shard on any machine, so that the order of events is always the same.
    shardCount: 1,
    threads: false,
    queueLengthMax: QUEUE_LENGTH_MAX,
    eventsMax: () => EVENTS_MAX,
    startingBalance,
    sources: sourcesOf(new Chance(seed, end, 1), () => clock.now),
    fail: error => fail(error),
  })
  await Promise.race([live(exchange, plan, clock, options), failed])
  await exchange.close()
}

/** Plays the days. */
async function live(
  exchange: Exchange,
  plan: readonly PlannedEvent[],
  clock: { now: TimeMs },
  { seed, now: end, progress }: HistoryOptions,
): Promise<void> {
  const chance = new Chance(seed, end)
  const board = new Board(exchange)
  const operator = new Operator(exchange, board)
  const trading = new Trading(exchange, chance)
  const begin = clock.now
  while (clock.now < end) {
    const { now } = clock
    exchange.advanceClock()
    for (const event of plan.filter(({ startAt }) => startAt === now)) {
      const { series, startAt, endAt } = event
      await (series === CUP ? board.addCup(startAt, endAt) : board.add(series, startAt, endAt))
    }
    await operator.conclude(now)
    await operator.fund(now)
    await Promise.all(
      board.open().map(event => trading.play(event, now, chance.between(TURNS_MIN, TURNS_MAX))),
    )
    await exchange.drain()
    clock.now = nextMoment(now, end, plan, chance)
    progress((clock.now - begin) / (end - begin))
  }
}

/** Plans an event of each series that is open now, and some that are over. */
function planned(now: TimeMs): PlannedEvent[] {
  return [...SERIES, CUP].flatMap(series => {
    const { headStartMs, nextEnd, category } = series
    const startAt = hourBefore(now - headStartMs)
    const open = { series, startAt, endAt: nextEnd((now + LENGTH_LEFT_MIN_MS) as TimeMs) }
    if (!TOLD_BEFORE.includes(category)) return [open]
    const over = lastEnd(series, now)
    return [{ series, startAt: hourBefore(over - headStartMs / 2), endAt: over }, open]
  })
}

/** Rounds down to the hour, since people open events at round times. */
const hourBefore = (at: number) => (at - (at % HOUR_MS)) as TimeMs

/** Returns the end of a series' last event; for cricket, of the last that was called off, to show one. */
function lastEnd({ nextEnd, question, category }: Series, now: TimeMs): TimeMs {
  let found = nextEnd((now - LOOK_BACK_MS) as TimeMs)
  for (let endAt = found; endAt < now; endAt = nextEnd(endAt)) {
    if (category !== 'cricket' || question(endAt).isCalledOff) found = endAt
  }
  return found
}

/** Advances by one stride, but never past the moment at which an event begins or ends. */
function nextMoment(now: TimeMs, end: TimeMs, plan: readonly PlannedEvent[], chance: Chance): TimeMs {
  const stride = end - now > RECENT_MS ? STRIDE_MS.before : STRIDE_MS.recent
  const next = now + Math.round(stride * (0.5 + chance.share()))
  const dates = plan.flatMap(({ startAt, endAt }) => [startAt, endAt]).filter(date => date > now)
  return dates.reduce((first, date) => Math.min(first, date), Math.min(next, end)) as TimeMs
}

function sourcesOf(chance: Chance, now: () => TimeMs): Sources {
  return {
    now,
    watch: now,
    sinceBoot: () => undefined,
    messageId: () => chance.uuid(),
    orderSuffix: () => chance.letters(10),
    eventId: () => chance.letters(16),
    rest: goOn => goOn(),
  }
}
