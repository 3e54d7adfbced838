import type { TimeShare } from '../exchange/operations/loop-share.js'
import { turnEnd } from '../shard/turn-end.js'
import type { Schedule, TurnLength } from './accepting.js'

/**
 * Requests other than commands started per round of the event loop, and commands in a round that need not
 * catch up: about ten milliseconds of work.
 */
export const ROUND_LENGTH_MAX = 64
/** A round starts no more requests other than commands after this time; and of a short turn. */
const OTHERS_MS_MAX = 10
const SHORT_OTHERS_MS_MAX = 1
/** A round begins no more batches after this time: what follows each of them takes about as long again. */
const BATCHES_MS_MAX = 10
/** The most of either kind in a short turn. */
export const SHORT_ROUND_LENGTH_MAX = 8
/** The most of the others that may be pipelined requests while first requests wait. */
const BEHIND_MAX = 16
/** Below this number of requests, a round that only counts again costs more than it saves. */
const COUNTED_MAX = 16

/**
 * A command changes something, such as an order or a cancel; every other request is a read, or a probe, which
 * monitors ask.
 */
export type RequestKind = 'command' | 'read' | 'probe'

interface Waiting {
  readonly number: number
  readonly kind: RequestKind
  /** The orders and cancels in it. */
  readonly weight: number
  readonly begin: (request: unknown) => void
  readonly request: unknown
}

export interface PipelineOptions {
  readonly turns: TurnLength
  /** Tells whether an order would wait too long for its commit behind this many that have not begun. */
  readonly isLate?: (ahead: number) => boolean
  /** The time that reads may take while orders wait. */
  readonly share: TimeShare
  /** Runs a round soon, after pending events. */
  readonly schedule?: Schedule
  /** A monotonic clock in milliseconds. */
  readonly watch: () => number
}

/**
 * Starts the requests of all doors a few at a time, however many arrive at once: thousands of connections may
 * send one each, or one packet may hold hundreds. Commands keep their order, and so do reads. Commands go
 * first, and while orders wait for their commit, reads take no more than their share of the time. The first
 * request of a connection may overtake pipelined ones. As many probes as a round has requests wait for
 * nothing.
 *
 * Under overload most of a turn of the event loop goes into reading and refusing requests. So commands that
 * wait get as much time as all else took since their round was scheduled: half of the main thread.
 */
export class Pipeline {
  readonly #turns: TurnLength
  readonly #isLate: (ahead: number) => boolean
  readonly #share: TimeShare
  readonly #schedule: Schedule
  readonly #watch: () => number
  readonly #commands = new Line<Waiting>()
  readonly #reads = new Line<Waiting>()
  readonly #behind = new Line<Waiting>()
  #count = 0
  /** The orders and cancels in the commands that wait. */
  #waitingWeight = 0
  /** Those begun since the last round. */
  #begunWeight = 0
  #begunOthers = 0
  #begunProbes = 0
  /** The time that the others took since the last round. */
  #othersMs = 0
  #isScheduled = false
  #scheduledAt = 0
  /** True while reads are to go on when they have time. */
  #isWaiting = false

  constructor({ turns, share, watch, isLate = () => false, schedule = turnEnd.schedule }: PipelineOptions) {
    this.#turns = turns
    this.#isLate = isLate
    this.#share = share
    this.#schedule = schedule
    this.#watch = watch
  }

  /** Returns how many orders and other requests wait ahead of a new command. */
  waitingAhead(isPipelined: boolean): number {
    return this.#waitingWeight + (isPipelined ? this.#behind.length : 0)
  }

  /** Tells whether an order that is read now would wait too long. */
  isTooBusy(isPipelined = false): boolean {
    return this.#isLate(this.waitingAhead(isPipelined))
  }

  /**
   * Starts the first request of a connection: at once if the round has room, otherwise later in order. While
   * orders wait, a read begins later, behind the commands of this round.
   *
   * @param begin starts it; one function for all requests of a kind
   * @param weight the orders and cancels in it, as far as they are known: a batch counts for each of them
   */
  add<Request>(begin: (request: Request) => void, request: Request, kind: RequestKind, weight = 1): void {
    if (kind === 'command') {
      if (this.#commands.head === undefined && this.#begunWeight < this.#roundLengthMax) {
        this.#begunWeight += weight
        begin(request)
      } else {
        this.#waitingWeight += weight
        this.#commands.push(this.#waiting(begin, request, kind, weight))
      }
    } else if (kind === 'probe' && this.#begunProbes < this.#roundLengthMax) {
      this.#begunProbes++
      begin(request)
    } else if (this.#mayReadAtOnce()) {
      this.#beginOther(() => begin(request))
    } else {
      this.#reads.push(this.#waiting(begin, request, kind))
    }
    this.#scheduleNext()
  }

  /** Starts a pipelined request in a later round, never before its predecessors. */
  addBehind<Request>(begin: (request: Request) => void, request: Request, kind: RequestKind): void {
    this.#behind.push(this.#waiting(begin, request, kind))
    this.#scheduleNext()
  }

  #waiting<Request>(
    begin: (request: Request) => void,
    request: Request,
    kind: RequestKind,
    weight = 1,
  ): Waiting {
    return { number: this.#count++, kind, weight, begin: begin as (request: unknown) => void, request }
  }

  #mayReadAtOnce(): boolean {
    return this.#reads.head === undefined && this.#hasRoomForOthers && this.#share.isWhole
  }

  get #hasRoomForOthers(): boolean {
    if (this.#turns.isForAccepting) return false
    const msMax = this.#turns.isShort ? SHORT_OTHERS_MS_MAX : OTHERS_MS_MAX
    return this.#begunOthers < this.#roundLengthMax && this.#othersMs < msMax
  }

  get #roundLengthMax(): number {
    return this.#turns.isShort ? SHORT_ROUND_LENGTH_MAX : ROUND_LENGTH_MAX
  }

  #beginOther(begin: () => void): void {
    const startedAt = this.#watch()
    begin()
    this.#othersMs += this.#watch() - startedAt
    this.#begunOthers++
  }

  /** Schedules the next round if there is something for it. */
  #scheduleNext(): void {
    const [read, behind] = [this.#reads.head, this.#behind.head]
    if (this.#commands.head !== undefined || behind?.kind === 'command') this.#scheduleRound()
    else if (read !== undefined || behind !== undefined) this.#scheduleReads()
    else if (this.#isWorthCounting) this.#scheduleRound()
  }

  get #isWorthCounting(): boolean {
    const begun = this.#begunWeight + this.#begunOthers + this.#begunProbes
    return begun >= COUNTED_MAX || this.#othersMs >= SHORT_OTHERS_MS_MAX
  }

  #scheduleRound(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#scheduledAt = this.#watch()
    this.#schedule(() => {
      this.#isScheduled = false
      const now = this.#watch()
      this.#round(2 * now - this.#scheduledAt)
    })
  }

  #scheduleReads(): void {
    if (this.#isScheduled || this.#isWaiting) return
    this.#isWaiting = true
    this.#share.schedule(() => {
      this.#isWaiting = false
      this.#round(this.#watch())
    })
  }

  /** @param commandsUntil commands may start until then, but at least a round's number */
  #round(commandsUntil: number): void {
    const batchesUntil = Math.min(commandsUntil, this.#watch() + BATCHES_MS_MAX)
    this.#begunWeight = 0
    this.#begunOthers = 0
    this.#begunProbes = 0
    this.#othersMs = 0
    for (let next = this.#commands.head; next !== undefined; next = this.#commands.head) {
      const until = next.weight > 1 ? batchesUntil : commandsUntil
      if (this.#begunWeight >= this.#roundLengthMax && this.#watch() >= until) break
      this.#commands.shift()
      this.#begunWeight += next.weight
      this.#waitingWeight -= next.weight
      next.begin(next.request)
    }
    for (let behind = 0; this.#hasRoomForOthers; ) {
      const line = this.#nextLine(behind)
      const next = line?.shift()
      if (next === undefined) break
      if (line === this.#behind) behind++
      this.#beginOther(() => this.#share.run(() => next.begin(next.request)))
    }
    this.#scheduleNext()
  }

  /**
   * Returns the line of the next request that is not a first command; undefined if there is none, or no time
   * for it. A pipelined request never overtakes a first one that came before it.
   */
  #nextLine(behindCount: number): Line<Waiting> | undefined {
    const { hasTime } = this.#share
    const read = hasTime ? this.#reads.head : undefined
    const behind = hasTime || this.#behind.head?.kind === 'command' ? this.#behind.head : undefined
    if (read === undefined) return behind && this.#behind
    const isBehindNext = behindCount < BEHIND_MAX && behind !== undefined && behind.number < read.number
    return isBehindNext ? this.#behind : this.#reads
  }
}

/** Elements already shifted that a line still holds, unless it holds more that wait. */
const SHIFTED_MAX = 1024

/** A queue that seldom moves its elements. */
class Line<Element> {
  #waiting: Element[] = []
  #next = 0

  get length(): number {
    return this.#waiting.length - this.#next
  }

  get head(): Element | undefined {
    return this.#waiting[this.#next]
  }

  push(element: Element): void {
    this.#waiting.push(element)
  }

  shift(): Element | undefined {
    const { head } = this
    this.#next++
    if (this.#next >= this.#waiting.length) {
      this.#waiting = []
      this.#next = 0
    } else if (this.#next >= SHIFTED_MAX && 2 * this.#next >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next)
      this.#next = 0
    }
    return head
  }
}
