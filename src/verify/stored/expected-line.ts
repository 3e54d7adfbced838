import { hashNumber, hashText, hashUnit, LINE_START, lineHash } from './line-hash.js'
import { SEPARATOR } from './row-lines.js'

const UNIT = SEPARATOR.charCodeAt(0)

/**
 * Writes lines cell by cell, one after the other. Only the hash of a line is kept; its text is made only if
 * the line is watched.
 */
export class ExpectedLine {
  #hash = LINE_START
  #text = ''
  #isWatched = false
  #isEmpty = true

  begin(isWatched: boolean): this {
    this.#hash = LINE_START
    this.#text = ''
    this.#isWatched = isWatched
    this.#isEmpty = true
    return this
  }

  /** Goes on with a line of which this much is written; its text is given if the line is watched. */
  goOn(hash: number, text: string | undefined): this {
    this.#hash = hash
    this.#text = text ?? ''
    this.#isWatched = text !== undefined
    this.#isEmpty = false
    return this
  }

  cell(value: number | string): this {
    if (!this.#isEmpty) this.#add(SEPARATOR)
    this.#isEmpty = false
    return this.more(value)
  }

  /** Adds a value that may be NULL, marked to distinguish NULL from an empty text. */
  optional(value: number | string | null | undefined): this {
    if (value === undefined || value === null) return this.cell('-')
    return this.cell('=').more(value)
  }

  /** Adds to the last cell. */
  more(value: number | string): this {
    if (this.#isWatched) this.#text += value
    this.#hash = typeof value === 'number' ? hashNumber(this.#hash, value) : hashText(this.#hash, value)
    return this
  }

  /** The hash so far. */
  get start(): number {
    return this.#hash
  }

  get hash(): number {
    return lineHash(this.#hash)
  }

  /** The line, if it is watched. */
  get text(): string | undefined {
    return this.#isWatched ? this.#text : undefined
  }

  #add(separator: typeof SEPARATOR): void {
    if (this.#isWatched) this.#text += separator
    this.#hash = hashUnit(this.#hash, UNIT)
  }
}
