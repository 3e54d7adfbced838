import { assert } from '../core/assert.js'

const TWO_TO_32 = 2 ** 32
const WARM_UP = 16
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const HEX = '0123456789abcdef'

/**
 * Seeded random numbers: the same seeds give the same rolls on every machine. For make-believe only, never
 * for secrets. The generator is sfc32, which keeps 128 bits and needs ten lines.
 */
export class Chance {
  #a: number
  #b: number
  #c: number
  #counter = 1

  /** @param seeds whole numbers from 0 to 2^53, a bounded few; the order counts */
  constructor(...seeds: readonly number[]) {
    this.#a = 0x9e3779b9
    this.#b = 0x243f6a88
    this.#c = 0xb7e15162
    for (const seed of seeds) {
      assert(Number.isSafeInteger(seed) && seed >= 0, 'a seed is a whole number from 0 to 2^53')
      this.#a ^= seed >>> 0
      this.#b ^= Math.floor(seed / TWO_TO_32)
      for (let round = 0; round < WARM_UP; round++) this.#roll()
    }
  }

  /** Returns a number from 0 to below 1. */
  share(): number {
    return this.#roll() / TWO_TO_32
  }

  /** Returns true in the given percentage of rolls. */
  percent(share: number): boolean {
    return this.share() * 100 < share
  }

  /** Returns a whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.share() * (high - low + 1))
  }

  /** Returns a normally distributed number, with mean 0 and deviation 1 (Box and Muller). */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.share()))
    return radius * Math.cos(2 * Math.PI * this.share())
  }

  oneOf<T>(values: readonly [T, ...T[]]): T {
    return values[this.between(0, values.length - 1)] as T
  }

  /** Returns letters and digits. */
  letters(length: number): string {
    return this.#text(LETTERS, length)
  }

  /** Returns a UUID of version 4. */
  uuid(): string {
    const hex = (length: number) => this.#text(HEX, length)
    return `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[this.between(0, 3)]}${hex(3)}-${hex(12)}`
  }

  #text(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[this.between(0, alphabet.length - 1)]).join('')
  }

  #roll(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum >>> 0
  }
}
