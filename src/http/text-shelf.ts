import { KeptText } from './middleware/kept-text.js'

const LENGTH_MAX = 16 * 1024 * 1024
/** Counted with each text, for the memory that holds it. */
const OVERHEAD_CHARS = 1024

interface Shelved<Version> {
  readonly version: Version
  readonly kept: KeptText
  readonly length: number
}

/** Keeps answers as texts, each with the version of what it shows. */
export class TextShelf<Version> {
  readonly #lengthMax: number
  /** Oldest first. */
  readonly #texts = new Map<string, Shelved<Version>>()
  #length = 0

  /** @param lengthMax characters kept in all; the oldest texts are dropped first */
  constructor(lengthMax = LENGTH_MAX) {
    this.#lengthMax = lengthMax
  }

  /** Number of characters kept. */
  get length(): number {
    return this.#length
  }

  /** Returns the text kept under a key with its version, however old. */
  find(key: string): Shelved<Version> | undefined {
    return this.#texts.get(key)
  }

  /** Keeps a text in place of the one before. */
  keep(key: string, version: Version, text: string): KeptText {
    this.#drop(key)
    const kept = new KeptText(text)
    const length = text.length + OVERHEAD_CHARS
    this.#texts.set(key, { version, kept, length })
    this.#length += length
    for (const oldest of this.#texts.keys()) {
      if (this.#length <= this.#lengthMax) break
      this.#drop(oldest)
    }
    return kept
  }

  #drop(key: string): void {
    this.#length -= this.#texts.get(key)?.length ?? 0
    this.#texts.delete(key)
  }
}
