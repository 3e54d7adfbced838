export interface BucketSize {
  readonly points: number
  readonly pointsPerSecond: number
}

/**
 * A token bucket of points that refill over time. The cost of work is known only afterwards, so it may go
 * into debt, which must be paid off before more is allowed.
 */
export class Bucket {
  readonly #size: BucketSize
  #level: number
  #at: number

  /** @param at milliseconds of a monotonic clock, as in all methods */
  constructor(size: BucketSize, at: number) {
    this.#size = size
    this.#level = size.points
    this.#at = at
  }

  /** The points left when last used; negative for a debt. */
  get level(): number {
    return this.#level
  }

  isEmpty(at: number): boolean {
    this.#refill(at)
    return this.#level <= 0
  }

  take(points: number, at: number): void {
    this.#refill(at)
    this.#level -= points
  }

  /** Returns the milliseconds until a tenth is refilled: retrying at the first point would be too often. */
  msUntilUsable(at: number): number {
    this.#refill(at)
    const missing = this.#size.points / 10 - this.#level
    return Math.max(0, Math.ceil((missing / this.#size.pointsPerSecond) * 1000))
  }

  #refill(at: number): void {
    const { points, pointsPerSecond } = this.#size
    this.#level = Math.min(points, this.#level + ((at - this.#at) / 1000) * pointsPerSecond)
    this.#at = at
  }
}
