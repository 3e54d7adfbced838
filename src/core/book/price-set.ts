/**
 * A set of small integers with fast highest and lowest: one bit per price, and a summary with one bit per
 * word.
 *
 *   summary   bit w is set: word w is not empty
 *   words     bit p & 31 of word p >> 5 is set: price p is in the set
 */
export class PriceSet {
  readonly #words: Int32Array
  readonly #summary: Int32Array

  /** @param limit prices are 0 … limit − 1 */
  constructor(limit: number) {
    this.#words = new Int32Array((limit + 31) >> 5)
    this.#summary = new Int32Array((this.#words.length + 31) >> 5)
  }

  has(price: number): boolean {
    return ((this.#words[price >> 5] as number) & (1 << (price & 31))) !== 0
  }

  add(price: number): void {
    const word = price >> 5
    this.#words[word] = (this.#words[word] as number) | (1 << (price & 31))
    this.#summary[word >> 5] = (this.#summary[word >> 5] as number) | (1 << (word & 31))
  }

  delete(price: number): void {
    const word = price >> 5
    const rest = (this.#words[word] as number) & ~(1 << (price & 31))
    this.#words[word] = rest
    if (rest === 0) this.#summary[word >> 5] = (this.#summary[word >> 5] as number) & ~(1 << (word & 31))
  }

  /** Returns the highest price, or 0 when the set is empty (0 is never a price). */
  highest(): number {
    for (let s = this.#summary.length - 1; s >= 0; s--) {
      const summary = this.#summary[s] as number
      if (summary === 0) continue
      const word = (s << 5) + 31 - Math.clz32(summary)
      return (word << 5) + 31 - Math.clz32(this.#words[word] as number)
    }
    return 0
  }

  /** Returns the lowest price, or 0 when the set is empty. */
  lowest(): number {
    for (let s = 0; s < this.#summary.length; s++) {
      const summary = this.#summary[s] as number
      if (summary === 0) continue
      const word = (s << 5) + lowestBit(summary)
      return (word << 5) + lowestBit(this.#words[word] as number)
    }
    return 0
  }

  /** Empties the set. Writes its prices to the front of `into`, ascending, and returns how many they are. */
  takeAll(into: Int32Array): number {
    let count = 0
    for (let s = 0; s < this.#summary.length; s++) {
      let summary = this.#summary[s] as number
      this.#summary[s] = 0
      for (; summary !== 0; summary &= summary - 1) {
        const word = (s << 5) + lowestBit(summary)
        let bits = this.#words[word] as number
        this.#words[word] = 0
        for (; bits !== 0; bits &= bits - 1) into[count++] = (word << 5) + lowestBit(bits)
      }
    }
    return count
  }
}

function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word)
}
