import type { CapacityRefusal } from '../capacity.js'

/** The most requests that may wait in the lane: in total, and per user. */
const LANE_LENGTH_MAX = 8192
const USER_LENGTH_MAX = 2048
/** The lane's extra room for cancels, as a share of its bound. */
const ENDING_SHARE = 0.25

/** A request's precondition, and the user of its order. */
export interface Arrival {
  /** Resolves when the request may be decided; absent if it need not wait. */
  readonly ready?: Promise<unknown> | undefined
  /** Absent if the request contains no order. */
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
 * Decides orders, amendments, cancels and market moves in order of arrival. A request takes its place when it
 * enters, and its precondition is already being fetched then, so waits overlap. It is decided once it is
 * ready and all earlier requests have been decided; with an empty lane and no precondition, before `enter`
 * returns.
 *
 * A request that fails, waiting or deciding, fails alone: those behind it move up.
 */
export class ArrivalLane {
  readonly #userLengths = new Map<string, number>()
  #first: Waiting | undefined
  #last: Waiting | undefined
  #length = 0
  #lastArrival = 0

  /** The number of the last request that has arrived. */
  get lastArrival(): number {
    return this.#lastArrival
  }

  /** Numbers a request that arrives now. These numbers tell what came first; times do not. */
  takeNumber(): number {
    this.#lastArrival++
    return this.#lastArrival
  }

  /** The number of waiting requests. */
  get length(): number {
    return this.#length
  }

  /**
   * Enters a request and resolves to its decision; to `queue_full` if there is no room. Rejects if `ready`
   * rejects or `decide` throws.
   *
   * @param decide decides the request before its first `await`; the rest runs outside the lane
   */
  enter<T>(decide: () => Promise<T>, { ready, userId }: Arrival = {}): Promise<T | CapacityRefusal> {
    if (ready === undefined && this.#first === undefined) return decide()
    return this.isFull(userId) ? Promise.resolve('queue_full') : this.#wait(decide, ready, userId)
  }

  /** Enters an operator's request, which is never refused. */
  enterAlways<T>(decide: () => Promise<T>): Promise<T> {
    return this.#first === undefined ? decide() : this.#wait(decide)
  }

  /** Returns true if there is no room for another order of a user, or for a request without an order. */
  isFull(userId: string | undefined): boolean {
    if (userId === undefined) return this.#length >= LANE_LENGTH_MAX * (1 + ENDING_SHARE)
    return this.#length >= LANE_LENGTH_MAX || (this.#userLengths.get(userId) ?? 0) >= USER_LENGTH_MAX
  }

  /** Waits until every request now in the lane has been decided. */
  async drain(): Promise<void> {
    if (this.#first !== undefined) await this.#wait(async () => undefined)
  }

  #wait<T>(decide: () => Promise<T>, ready?: Promise<unknown>, userId?: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const isReady = ready === undefined
      const request = { isReady, userId, decide: () => resolve(decide()), fail: reject, next: undefined }
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
