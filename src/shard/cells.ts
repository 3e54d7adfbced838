import { assert } from '../core/assert.js'

/**
 * Numbers that cross threads in one array, whose memory is moved, not copied; the strings among them by
 * their index in `words`. Written and read as objects, a result costs each thread three times as much.
 */
export interface Cells {
  readonly cells: Float64Array<ArrayBuffer>
  readonly words: readonly string[]
}

/** The index of a word that is missing, and the number that is: all that may be missing are not negative. */
export const NONE = -1
const CELLS_FIRST = 4096

/** Writes cells; keeps its array from one result to the next. */
export class CellWriter {
  #cells = new Float64Array(CELLS_FIRST)
  #length = 0
  #words = new Map<string, number>()

  /** Returns what was written; what follows belongs to the next result. */
  take(): Cells {
    const taken = { cells: this.#cells.slice(0, this.#length), words: [...this.#words.keys()] }
    this.#length = 0
    this.#words = new Map()
    return taken
  }

  list<T>(list: readonly T[], write: (item: T) => void): void {
    this.numbers(list.length)
    for (const item of list) write(item)
  }

  /** Takes a few numbers, never a list of them: the array is grown once. */
  numbers(...numbers: readonly number[]): void {
    if (this.#length + numbers.length > this.#cells.length) this.#grow()
    for (let index = 0; index < numbers.length; index++) {
      this.#cells[this.#length + index] = numbers[index] as number
    }
    this.#length += numbers.length
  }

  word(word: string | null | undefined): void {
    if (word === undefined || word === null) {
      this.numbers(NONE)
      return
    }
    const known = this.#words.get(word)
    const index = known ?? this.#words.size
    if (known === undefined) this.#words.set(word, index)
    this.numbers(index)
  }

  #grow(): void {
    const cells = new Float64Array(this.#cells.length * 2)
    cells.set(this.#cells)
    this.#cells = cells
  }
}

/** Reads cells back, in the order in which they were written. */
export class CellReader {
  readonly #cells: Float64Array
  readonly #words: readonly string[]
  #next = 0

  constructor({ cells, words }: Cells) {
    this.#cells = cells
    this.#words = words
  }

  assertRead(): void {
    assert(this.#next === this.#cells.length, 'a result is read to its end')
  }

  list<T>(read: () => T): T[] {
    const list: T[] = []
    for (let left = this.number<number>(); left > 0; left--) list.push(read())
    return list
  }

  /** The caller knows which number comes next, as the writer has put them. */
  number<N extends number>(): N {
    const number = this.#cells[this.#next]
    assert(number !== undefined, 'a result has no fewer cells than it says')
    this.#next++
    // As V8 keeps small integers: a field that is given a cell as it is gets a box for it in each object.
    const small = number | 0
    return (small === number ? small : number) as N
  }

  maybeNumber<N extends number>(): N | undefined {
    const number = this.number<N>()
    return number === NONE ? undefined : number
  }

  word<W extends string>(): W {
    const word = this.maybeWord<W>()
    assert(word !== undefined, 'a result has the words that it needs')
    return word
  }

  maybeWord<W extends string>(): W | undefined {
    return this.#words[this.number<number>()] as W | undefined
  }
}
