import type { Answer, Question } from './history-reader.js'
import type { ReadBusy, ReadLoad } from './read-lane.js'
import { ReadLane } from './read-lane.js'

/**
 * `pages`: public queries. `operator`: queries behind the admin token. `feeds`: messages of private channels,
 * one query per channel; unbounded here, because the number of channels is bounded.
 */
export type LaneName = 'pages' | 'operator' | 'feeds'

const LANE_OF = {
  orders: 'pages',
  search: 'pages',
  trades: 'pages',
  statement: 'pages',
  candles: 'pages',
  fills: 'pages',
  positions: 'pages',
  performance: 'pages',
  settlements: 'pages',
  conversionNamed: 'pages',
  countPeople: 'pages',
  ranking: 'pages',
  rankOf: 'pages',
  seasonPlaces: 'pages',
  personFigures: 'pages',
  peopleSums: 'operator',
  users: 'operator',
  settlementPreview: 'operator',
  groupSettlementPreview: 'operator',
  adminActions: 'operator',
  auditMoney: 'operator',
  fees: 'operator',
  userMessages: 'feeds',
} as const satisfies Record<Question, LaneName>

/** The queries about one user's account, which is the first thing they name. */
const OF_USER: ReadonlySet<Question> = new Set([
  'orders',
  'statement',
  'fills',
  'positions',
  'performance',
  'settlements',
  'conversionNamed',
])

/** A query's result, or why it was not run. */
export type Unread<Q extends Question> = (typeof LANE_OF)[Q] extends 'pages' | 'operator' ? ReadBusy : never

/** Returns true for queries that wait for as long as it takes. */
export function isNeverRefused(question: Question): boolean {
  return LANE_OF[question] === 'feeds'
}

const WAIT_MS_MAX = 10_000
const NEVER = Number.POSITIVE_INFINITY
const LIMITS = {
  pages: { runningMax: 2, waitingMax: 250, ownWaitingMax: 125, waitMsMax: WAIT_MS_MAX },
  operator: { runningMax: 1, waitingMax: 100, ownWaitingMax: 100, waitMsMax: WAIT_MS_MAX },
  feeds: { runningMax: 2, waitingMax: NEVER, ownWaitingMax: NEVER, waitMsMax: NEVER },
} as const satisfies Record<LaneName, object>

/**
 * The lanes in front of the one reader, so that no kind of query waits behind many of another; the reader
 * itself has only a handful at a time.
 */
export class ReadLanes {
  readonly #lanes: Readonly<Record<LaneName, ReadLane>>

  constructor(watch: () => number) {
    this.#lanes = {
      pages: new ReadLane(LIMITS.pages, watch),
      operator: new ReadLane(LIMITS.operator, watch),
      feeds: new ReadLane(LIMITS.feeds, watch),
    }
  }

  /** Runs a query in its lane, in turn with those of other users, and of other events. */
  run<Q extends Question>(
    question: Q,
    [first]: readonly unknown[],
    read: () => Promise<Answer<Q>>,
  ): Promise<Answer<Q> | Unread<Q>> {
    const owner = `${OF_USER.has(question) ? 'user' : question} ${first}`
    return this.#lanes[LANE_OF[question]].run(owner, read) as Promise<Answer<Q> | Unread<Q>>
  }

  /** Returns whether a read of pages would find no room behind this many; counts it as refused if so. */
  turnsPageAway(ahead: number): boolean {
    return this.#lanes.pages.turnsAway(ahead)
  }

  refuseLate(): void {
    for (const lane of Object.values(this.#lanes)) lane.refuseLate()
  }

  /** Refuses the reads of pages and operators that wait or come later: their reader is about to stop. */
  close(): void {
    this.#lanes.pages.close()
    this.#lanes.operator.close()
  }

  loads(): Readonly<Record<LaneName, ReadLoad>> {
    const { pages, operator, feeds } = this.#lanes
    return { pages: pages.load, operator: operator.load, feeds: feeds.load }
  }
}
