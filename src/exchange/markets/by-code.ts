import type { MarketCode } from '../../core/units.js'

interface Coded {
  readonly terms: { readonly code: MarketCode }
}

/** Markets, or groups, in the order of their codes. */
export class ByCode<One extends Coded> {
  readonly #ordered: One[] = []

  get length(): number {
    return this.#ordered.length
  }

  /** Adds one: at the end, or near it if shards committed two in the opposite order of their codes. */
  add(one: One): void {
    this.#ordered.splice(this.#placeBehind(one.terms.code), 0, one)
  }

  remove(one: One): void {
    const index = this.#placeBehind(one.terms.code) - 1
    if (this.#ordered[index] === one) this.#ordered.splice(index, 1)
  }

  /** Yields those with higher codes than this. */
  *behind(code: number): Generator<One> {
    for (let index = this.#placeBehind(code); index < this.#ordered.length; index++) {
      const one = this.#ordered[index]
      if (one !== undefined) yield one
    }
  }

  /** Returns a copy that later changes do not change. */
  now(): One[] {
    return this.#ordered.slice()
  }

  all(): IterableIterator<One> {
    return this.#ordered.values()
  }

  /** Returns the first index with a higher code. */
  #placeBehind(code: number): number {
    let low = 0
    let high = this.#ordered.length
    const last = this.#ordered[high - 1]
    if (last === undefined || last.terms.code <= code) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#ordered[middle]?.terms.code ?? 0) <= code) low = middle + 1
      else high = middle
    }
    return low
  }
}
