/** Requests started per round of the event loop: about ten milliseconds of work. */
export const ROUND_LENGTH_MAX = 64
/** The most of these that may be pipelined requests while first requests wait. */
const BEHIND_MAX = 16

interface Waiting {
  readonly number: number
  readonly begin: () => void
}

/**
 * Starts requests a few at a time, however many arrive at once: thousands of connections may send one each,
 * or one packet may hold hundreds. Waiting requests keep their order, except that the first request of a
 * connection may overtake pipelined ones.
 */
export class Pipeline {
  readonly #schedule: (round: () => void) => void
  readonly #first = new Line()
  readonly #behind = new Line()
  #count = 0
  #begun = 0
  #isScheduled = false

  /** @param schedule runs a round soon, after pending events */
  constructor(schedule: (round: () => void) => void = setImmediate) {
    this.#schedule = schedule
  }

  /** Starts the first request of a connection: at once if the round has room, otherwise later in order. */
  add(begin: () => void): void {
    this.#scheduleRound()
    if (this.#begun >= ROUND_LENGTH_MAX || this.#first.head !== undefined) {
      this.#first.push({ number: this.#count++, begin })
      return
    }
    this.#begun++
    begin()
  }

  /** Starts a pipelined request in a later round, never before its predecessors. */
  addBehind(begin: () => void): void {
    this.#scheduleRound()
    this.#behind.push({ number: this.#count++, begin })
  }

  #scheduleRound(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#schedule(() => this.#round())
  }

  #round(): void {
    this.#isScheduled = false
    this.#begun = 0
    for (let behind = 0; this.#begun < ROUND_LENGTH_MAX; this.#begun++) {
      const isBehind = this.#isBehindNext(behind)
      const next = (isBehind ? this.#behind : this.#first).shift()
      if (next === undefined) break
      if (isBehind) behind++
      next.begin()
    }
    if (this.#begun > 0) this.#scheduleRound()
  }

  /** Returns true if a pipelined request is next: none overtakes a first request that came before it. */
  #isBehindNext(behind: number): boolean {
    const [first, other] = [this.#first.head, this.#behind.head]
    if (first === undefined || other === undefined) return first === undefined
    return behind < BEHIND_MAX && other.number < first.number
  }
}

/** A queue that shifts without moving its elements. */
class Line {
  #waiting: Waiting[] = []
  #next = 0

  get head(): Waiting | undefined {
    return this.#waiting[this.#next]
  }

  push(request: Waiting): void {
    this.#waiting.push(request)
  }

  shift(): Waiting | undefined {
    const { head } = this
    this.#next++
    if (this.#next >= this.#waiting.length) {
      this.#waiting = []
      this.#next = 0
    }
    return head
  }
}
