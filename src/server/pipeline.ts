/** Requests begun between two rounds of the event loop: some ten milliseconds of work. */
export const ROUND_LENGTH_MAX = 64
/** As many of these as may come from behind others of their connections while first ones wait. */
const BEHIND_MAX = 16

interface Waiting {
  readonly number: number
  readonly begin: () => void
}

/**
 * Begins requests a few at a time, whatever one read of all sockets brings: thousands of connections may send
 * one each, or a packet may hold hundreds. Those that wait keep their order; only a request that came first
 * on its connection may pass those that came behind others.
 */
export class Pipeline {
  readonly #schedule: (round: () => void) => void
  readonly #first = new Line()
  readonly #behind = new Line()
  #count = 0
  #begun = 0
  #isScheduled = false

  /** @param schedule runs a round soon, after what the event loop has in hand */
  constructor(schedule: (round: () => void) => void = setImmediate) {
    this.#schedule = schedule
  }

  /** Begins the first request of a connection: at once while the round has room, else in its turn. */
  add(begin: () => void): void {
    this.#scheduleRound()
    if (this.#begun >= ROUND_LENGTH_MAX || this.#first.head !== undefined) {
      this.#first.push({ number: this.#count++, begin })
      return
    }
    this.#begun++
    begin()
  }

  /** Begins a request that came behind others of its connection, in a later round and never before them. */
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

  /** Returns whether the next one comes from behind others: none passes a first one that came before it. */
  #isBehindNext(behind: number): boolean {
    const [first, other] = [this.#first.head, this.#behind.head]
    if (first === undefined || other === undefined) return first === undefined
    return behind < BEHIND_MAX && other.number < first.number
  }
}

/** A queue that is emptied without moving what waits. */
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
