import type { CapacityRefusal } from '../capacity.js'

/** How many requests may wait in the lane: in all, and of one user. */
const LANE_LENGTH_MAX = 8192
const USER_LENGTH_MAX = 2048
/** How much longer the lane may get for requests that end orders, as a share of its bound. */
const ENDING_SHARE = 0.25

/** What a request waits for, and whose order it brings. */
export interface Arrival {
  /** Settles when the request may be decided; absent where it waits for nothing. */
  readonly ready?: Promise<unknown> | undefined
  /** Absent where the request brings no order. */
  readonly userId?: string
}

interface Waiting {
  isReady: boolean
  readonly userId: string | undefined
  decide: () => void
  readonly fail: (error: unknown) => void
  next: Waiting | undefined
}

/**
 * The one lane in which orders, amendments, cancels and moves of markets are decided in the order of their
 * arrival. A request takes its place on entering and starts at once whatever it must wait for, so that all
 * these waits run side by side. Its turn comes when it is ready and all before it have had theirs; where it
 * waits for nothing and the lane is empty, that is before `enter` returns.
 *
 * A request that fails, in its wait or in its turn, fails alone: those behind it move up.
 */
export class ArrivalLane {
  readonly #userLengths = new Map<string, number>()
  #first: Waiting | undefined
  #last: Waiting | undefined
  #length = 0

  /** How many requests wait for their turn. */
  get length(): number {
    return this.#length
  }

  /**
   * Gives a request its place and answers what its turn answers; `queue_full` where there is no room, and no
   * turn. Rejects where `ready` rejects or the turn throws.
   *
   * @param turn decides the request before its first `await`; what follows is outside the lane
   */
  enter<T>(turn: () => Promise<T>, { ready, userId }: Arrival = {}): Promise<T | CapacityRefusal> {
    if (ready === undefined && this.#first === undefined) return turn()
    return this.isFull(userId) ? Promise.resolve('queue_full') : this.#wait(turn, ready, userId)
  }

  /** The same for an operator, who is never refused. */
  enterAlways<T>(turn: () => Promise<T>): Promise<T> {
    return this.#first === undefined ? turn() : this.#wait(turn)
  }

  /** Whether there is no room for another order of a user, or for a request that brings none. */
  isFull(userId: string | undefined): boolean {
    if (userId === undefined) return this.#length >= LANE_LENGTH_MAX * (1 + ENDING_SHARE)
    return this.#length >= LANE_LENGTH_MAX || (this.#userLengths.get(userId) ?? 0) >= USER_LENGTH_MAX
  }

  /** Waits until every request that is in the lane now has had its turn. */
  async drain(): Promise<void> {
    if (this.#first !== undefined) await this.#wait(async () => undefined)
  }

  #wait<T>(turn: () => Promise<T>, ready?: Promise<unknown>, userId?: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const isReady = ready === undefined
      const request = { isReady, userId, decide: () => resolve(turn()), fail: reject, next: undefined }
      this.#append(request)
      const moveUp = () => {
        request.isReady = true
        this.#advance()
      }
      ready?.then(moveUp, (error: unknown) => {
        request.decide = () => reject(error)
        moveUp()
      })
    })
  }

  #append(request: Waiting): void {
    if (this.#last === undefined) this.#first = request
    else this.#last.next = request
    this.#last = request
    this.#count(request, 1)
  }

  #advance(): void {
    while (this.#first?.isReady) {
      const request = this.#first
      this.#first = request.next
      if (request.next === undefined) this.#last = undefined
      this.#count(request, -1)
      try {
        request.decide()
      } catch (error) {
        request.fail(error)
      }
    }
  }

  #count({ userId }: Waiting, by: 1 | -1): void {
    this.#length += by
    if (userId === undefined) return
    const length = (this.#userLengths.get(userId) ?? 0) + by
    if (length === 0) this.#userLengths.delete(userId)
    else this.#userLengths.set(userId, length)
  }
}
