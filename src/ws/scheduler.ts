import { SOCKET_LIMITS } from '../api/socket-limits.js'
import type { TimeShare } from '../exchange/operations/loop-share.js'
import type { Connection } from './connection.js'

/** A piece of work in small steps; each step yields its cost in points, of some 10 to 20 µs. */
export type Work<Result = void> = Generator<number, Result, void>

/**
 * The work done in a slice, before yielding to the event loop: about 5 ms. And for one connection, before the
 * next one is served: the answers of these steps go out in one write.
 */
export const POINTS_MAX = { slice: 300, connection: 16 }
/** The most waiting messages and characters per connection, and characters in total. */
export const WAITING_MAX = SOCKET_LIMITS.waitingMax

interface Task {
  readonly work: Work
  readonly chars: number
}

interface Backlog {
  readonly tasks: Task[]
  chars: number
}

/**
 * Runs connections' requests: at once while there is time, otherwise a few steps of each connection after the
 * other, a slice at a time, so that no client delays the others. One connection's requests run in order;
 * those of a client that does not read wait until it has drained.
 */
export class Scheduler {
  readonly #share: TimeShare
  /** In serving order. */
  readonly #ready = new Map<Connection, Backlog>()
  /** Connections whose clients have to read first, or whose tokens are being verified. */
  readonly #parked = new Map<Connection, Backlog>()
  /** The budget left in this slice. */
  #left = POINTS_MAX.slice
  #isRunning = false
  /** The task whose step is running. */
  #running: Task | undefined
  #isScheduled = false
  #chars = 0

  /** @param share the time that slices may take while orders wait */
  constructor(share: TimeShare) {
    this.#share = share
  }

  /** Returns true if a connection has unfinished work. */
  isBusy(connection: Connection): boolean {
    return this.#ready.has(connection) || this.#parked.has(connection)
  }

  /** Returns true if there is room for another waiting message of this length. */
  hasRoom(connection: Connection, chars: number): boolean {
    if (this.#chars + chars > WAITING_MAX.charsInAll) return false
    const backlog = this.#backlogOf(connection)
    if (backlog === undefined) return true
    return backlog.tasks.length < WAITING_MAX.messages && backlog.chars + chars <= WAITING_MAX.chars
  }

  /** Queues work behind the connection's earlier work. */
  add(connection: Connection, work: Work, chars = 0): void {
    const backlog = this.#backlogOf(connection) ?? { tasks: [], chars: 0 }
    backlog.tasks.push({ work, chars })
    backlog.chars += chars
    this.#chars += chars
    if (!this.#parked.has(connection)) this.#ready.set(connection, backlog)
    this.#run()
  }

  /** Drops a connection's work, and ends what has begun, so that it can clean up after itself. */
  drop(connection: Connection): void {
    const backlog = this.#backlogOf(connection)
    if (backlog === undefined) return
    this.#chars -= backlog.chars
    this.#ready.delete(connection)
    this.#parked.delete(connection)
    // A step that is running ends its work itself.
    for (const task of backlog.tasks) if (task !== this.#running) task.work.return()
  }

  /** Resumes the work of a connection that was held up. */
  resume(connection: Connection): void {
    const backlog = this.#parked.get(connection)
    if (backlog === undefined) return
    this.#parked.delete(connection)
    this.#ready.set(connection, backlog)
    this.#run()
  }

  #backlogOf(connection: Connection): Backlog | undefined {
    return this.#ready.get(connection) ?? this.#parked.get(connection)
  }

  /** Runs waiting work for one slice; the rest in later slices. */
  #run(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    for (const [connection, backlog] of this.#ready) {
      if (this.#left <= 0 || !this.#share.hasTime) break
      this.#ready.delete(connection)
      if (connection.isOpen && connection.isHeldUp) {
        this.#parked.set(connection, backlog)
        this.#left--
      } else {
        // Re-inserted behind the others; this loop reaches it again if there is time.
        this.#ready.set(connection, backlog)
        this.#left -= this.#serve(connection, backlog)
      }
    }
    this.#isRunning = false
    if (this.#isScheduled || (this.#left === POINTS_MAX.slice && this.#ready.size === 0)) return
    this.#isScheduled = true
    this.#share.schedule(() => {
      this.#isScheduled = false
      this.#left = POINTS_MAX.slice
      this.#run()
    })
  }

  /** Runs a connection's next few steps; returns their cost. */
  #serve(connection: Connection, backlog: Backlog): number {
    let points = 0
    const work = () => {
      do points += this.#step(connection, backlog)
      while (
        points < POINTS_MAX.connection &&
        this.#ready.get(connection) === backlog &&
        !connection.isHeldUp
      )
    }
    this.#share.run(() => connection.writeTogether(work))
    return points
  }

  #step(connection: Connection, backlog: Backlog): number {
    const [task] = backlog.tasks
    this.#running = task
    const { value, done } = task?.work.next() ?? { value: undefined, done: true }
    this.#running = undefined
    if (!done) {
      if (this.#ready.get(connection) !== backlog) task?.work.return()
      return value ?? 1
    }
    backlog.tasks.shift()
    const chars = task?.chars ?? 0
    backlog.chars -= chars
    // A connection may have been dropped by its own work.
    if (this.#ready.get(connection) !== backlog) return 1
    this.#chars -= chars
    if (backlog.tasks.length === 0) this.#ready.delete(connection)
    return 1
  }
}
