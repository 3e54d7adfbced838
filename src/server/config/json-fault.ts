/** The place where a text stops being JSON, and the reason. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly reason: string
}

const SPACE = /[ \t\n\r]*/y
const TEXT = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy
const PLAIN = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y
const DEPTH_MAX = 100

/**
 * Returns the first fault of a text as JSON, or a key that an object has twice, which JSON.parse accepts;
 * undefined if there is none. The messages of JSON.parse differ between versions of Node, often without a
 * place, and quote the text, which may be a secret.
 */
export function jsonFault(text: string): JsonFault | undefined {
  const fault = new Reader(text).fault()
  if (fault === undefined) return undefined
  const before = text.slice(0, fault.at).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, reason: fault.reason }
}

interface Fault {
  readonly at: number
  readonly reason: string
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  fault(): Fault | undefined {
    const fault = this.#value(0)
    if (fault !== undefined) return fault
    this.#take(SPACE)
    return this.#at < this.#text.length ? this.#expected('the end of the file') : undefined
  }

  #value(depth: number): Fault | undefined {
    this.#take(SPACE)
    if (depth > DEPTH_MAX) return this.#expected('less nesting')
    if (this.#has('{')) return this.#object(depth)
    if (this.#has('[')) return this.#sequence(']', () => this.#value(depth + 1))
    if (this.#take(TEXT) !== undefined || this.#take(PLAIN) !== undefined) return undefined
    return this.#expected('a value (texts stand in double quotes)')
  }

  #object(depth: number): Fault | undefined {
    const seen = new Set<string>()
    return this.#sequence('}', () => {
      this.#take(SPACE)
      const at = this.#at
      const quoted = this.#take(TEXT)
      if (quoted === undefined) return this.#expected('a name in double quotes')
      const name: string = JSON.parse(quoted)
      if (seen.has(name)) return { at, reason: `"${name}" is there twice` }
      seen.add(name)
      this.#take(SPACE)
      return this.#has(':') ? this.#value(depth + 1) : this.#expected('a colon')
    })
  }

  /** Reads elements and commas up to the end. */
  #sequence(end: '}' | ']', element: () => Fault | undefined): Fault | undefined {
    this.#take(SPACE)
    if (this.#has(end)) return undefined
    do {
      const fault = element()
      if (fault !== undefined) return fault
      this.#take(SPACE)
    } while (this.#has(','))
    return this.#has(end) ? undefined : this.#expected(`a comma or ${end}`)
  }

  #has(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false
    this.#at++
    return true
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    this.#at += found?.length ?? 0
    return found
  }

  #expected(what: string): Fault {
    return { at: this.#at, reason: `expected ${what}` }
  }
}
