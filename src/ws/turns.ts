import type { Connection } from './connection.js'

/** A piece of work in small steps; each step yields its cost in points, of some 10 to 20 µs. */
export type Work<Result = void> = Generator<number, Result, void>

/** How much is done before the event loop gets its turn: some 5 ms. */
export const SLICE_POINTS = 300
/** How many messages of a connection may wait, how much text in them, and how much in those of all. */
export const WAITING_MAX = { messages: 1024, chars: 256 * 1024, charsInAll: 64 * 1024 * 1024 }

interface Task {
  readonly work: Work
  readonly chars: number
}

interface Transport {
  readonly tasks: Task[]
  chars: number
}

/**
 * Does what connections ask for: at once while there is time, else one step of each in turn and a slice at a
 * time, so that nobody's work keeps others waiting. The work of one connection is done in its order; that of
 * a client that does not read waits until it has drained.
 */
export class Turns {
  readonly #schedule: (slice: () => void) => void
  /** In the order of their turns. */
  readonly #ready = new Map<Connection, Transport>()
  /** Those whose clients have to read first. */
  readonly #parked = new Map<Connection, Transport>()
  /** What may still be done before the event loop gets its turn. */
  #left = SLICE_POINTS
  #isRunning = false
  #isScheduled = false
  #chars = 0

  /** @param schedule runs the slice soon, after what the event loop has in hand */
  constructor(schedule: (slice: () => void) => void = setImmediate) {
    this.#schedule = schedule
  }

  /** Whether a connection has work that is not done yet. */
  isBusy(connection: Connection): boolean {
    return this.#ready.has(connection) || this.#parked.has(connection)
  }

  /** Returns whether there is room for a message of this length among those that wait. */
  hasRoom(connection: Connection, chars: number): boolean {
    if (this.#chars + chars > WAITING_MAX.charsInAll) return false
    const line = this.#lineOf(connection)
    if (line === undefined) return true
    return line.tasks.length < WAITING_MAX.messages && line.chars + chars <= WAITING_MAX.chars
  }

  /** Puts work behind the connection's earlier work. */
  add(connection: Connection, work: Work, chars = 0): void {
    const line = this.#lineOf(connection) ?? { tasks: [], chars: 0 }
    line.tasks.push({ work, chars })
    line.chars += chars
    this.#chars += chars
    if (!this.#parked.has(connection)) this.#ready.set(connection, line)
    this.#run()
  }

  /** Forgets a connection's work. */
  drop(connection: Connection): void {
    this.#chars -= this.#lineOf(connection)?.chars ?? 0
    this.#ready.delete(connection)
    this.#parked.delete(connection)
  }

  /** Goes on with the work of a connection that has drained. */
  resume(connection: Connection): void {
    const line = this.#parked.get(connection)
    if (line === undefined) return
    this.#parked.delete(connection)
    this.#ready.set(connection, line)
    this.#run()
  }

  #lineOf(connection: Connection): Transport | undefined {
    return this.#ready.get(connection) ?? this.#parked.get(connection)
  }

  /** Does what waits as long as the event loop can be held; the rest after its next turn. */
  #run(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    for (const [connection, line] of this.#ready) {
      if (this.#left <= 0) break
      this.#ready.delete(connection)
      if (connection.isOpen && connection.isCongested) {
        this.#parked.set(connection, line)
        this.#left--
      } else {
        // Behind the others: the loop comes to it again where there is time.
        this.#ready.set(connection, line)
        this.#left -= this.#step(connection, line)
      }
    }
    this.#isRunning = false
    if (this.#isScheduled || this.#left === SLICE_POINTS) return
    this.#isScheduled = true
    this.#schedule(() => {
      this.#isScheduled = false
      this.#left = SLICE_POINTS
      this.#run()
    })
  }

  #step(connection: Connection, line: Transport): number {
    const [task] = line.tasks
    const { value, done } = task?.work.next() ?? { value: undefined, done: true }
    if (!done) return value ?? 1
    line.tasks.shift()
    const chars = task?.chars ?? 0
    line.chars -= chars
    // A connection may have been dropped by its own work.
    if (this.#ready.get(connection) !== line) return 1
    this.#chars -= chars
    if (line.tasks.length === 0) this.#ready.delete(connection)
    return 1
  }
}
