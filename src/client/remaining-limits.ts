/** The rest of a limit, by the last answer that showed it. */
export interface RemainingLimit {
  /** Points left. */
  readonly remaining: number
  /** Seconds until there is more. */
  readonly resetS: number
}

const QUOTA = /^"(\w+)";r=(\d+);t=(\d+)$/

/** The limits of the exchange, by the names of the guide Limits, as its answers show them. */
export class RemainingLimits {
  readonly #limits = new Map<string, RemainingLimit>()

  get all(): ReadonlyMap<string, RemainingLimit> {
    return this.#limits
  }

  /** Takes the header `RateLimit` of an answer, such as `"orders";r=399;t=1`. */
  take(header: string | null): void {
    const [, name, remaining, resetS] = QUOTA.exec(header ?? '') ?? []
    if (name === undefined) return
    this.#limits.set(name, { remaining: Number(remaining), resetS: Number(resetS) })
  }
}
