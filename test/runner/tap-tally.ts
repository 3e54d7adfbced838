import type { FinalResults, Result } from 'tap-parser'
import { Parser } from 'tap-parser'

/** One failed or skipped line of TAP: the path of test names, and its diagnostics. */
export interface TapPoint {
  readonly name: string
  readonly detail: string
}

/** The assertions of one test file. */
export class TapTally {
  passed = 0
  readonly failures: TapPoint[] = []
  readonly skips: TapPoint[] = []
  /** Output of the test that is not TAP. */
  extra = ''
  /** The seeds of random tests, as they print them: `RAAY_SEED=17`. */
  readonly seeds = new Set<string>()

  get isEmpty(): boolean {
    return this.passed + this.failures.length + this.skips.length === 0
  }
}

/** The name of the test in which a process that runs several files loads each of them. */
export const LOADING = 'the file loads'
/** Detail that repeats what the name and the stack already say. */
const DETAILS_LEFT_OUT = new Set(['at', 'test', 'tapCaught'])

/**
 * Counts one TAP stream. What counts is an assertion: a subtest's own summary line is counted only where it
 * fails although nothing inside it did. A todo counts as skipped, a broken plan as a failure.
 */
export class TapReader {
  /** Of the file under way: each of several begins a new one. */
  tally = new TapTally()

  readonly #parser = new Parser()
  readonly #beforeFile: () => void

  /** @param beforeFile called before each file of several, with the tally of the last one still in place */
  constructor(beforeFile: () => void) {
    this.#beforeFile = beforeFile
    this.#listen(this.#parser)
    this.#parser.on('extra', (text: string) => {
      this.tally.extra += text
    })
    this.#parser.on('bailout', (reason: string) => this.#fail('Bail out!', reason))
  }

  write(text: string): void {
    this.#parser.write(text)
  }

  end(): void {
    this.#parser.end()
  }

  #listen(parser: Parser): void {
    let failuresBefore = 0
    parser.on('child', (child: Parser) => {
      if (child.name === LOADING && parser === this.#parser) this.#beginFile()
      failuresBefore = this.tally.failures.length
      this.#listen(child)
    })
    parser.on('comment', (text: string) => {
      const seed = /RAAY_SEED=\d+/.exec(text)?.[0]
      if (seed !== undefined) this.tally.seeds.add(seed)
    })
    parser.on('assert', (result: Result) => {
      const hasLoaded = result.ok && result.name === LOADING && parser === this.#parser
      const failedInside = result.closingTestPoint && this.tally.failures.length > failuresBefore
      if (!failedInside && !hasLoaded) this.#count(result)
    })
    parser.on('complete', (results: FinalResults) => this.#countBroken(parser.fullname, results))
  }

  #beginFile(): void {
    this.#beforeFile()
    this.tally = new TapTally()
  }

  #fail(name: string, detail: string): void {
    this.tally.failures.push({ name, detail })
  }

  #count(result: Result): void {
    const name = result.fullname
    const { skips } = this.tally
    if (result.skip !== false) skips.push({ name, detail: reason(result.skip) })
    else if (result.todo !== false) skips.push({ name, detail: `to do: ${reason(result.todo)}` })
    else if (!result.ok) this.#fail(name, describe(result.diag))
    else if (!result.closingTestPoint) this.tally.passed++
  }

  #countBroken(name: string, { failures, plan }: FinalResults): void {
    for (const failure of failures) {
      if (typeof failure.tapError === 'string') this.#fail(name || 'the stream', failure.tapError)
    }
    const isWholeFileSkipped = name === '' && plan.skipAll && plan.skipReason !== 'no tests found'
    if (isWholeFileSkipped) {
      this.tally.skips.push({ name: 'the whole file', detail: reason(plan.skipReason) })
    }
  }
}

function reason(text: string | boolean): string {
  return typeof text === 'string' && text !== '' ? text : 'no reason given'
}

function describe(diag: unknown): string {
  if (typeof diag !== 'object' || diag === null) return ''
  const lines: string[] = []
  for (const [key, value] of Object.entries(diag)) {
    if (DETAILS_LEFT_OUT.has(key) || value === '') continue
    const text = typeof value === 'string' ? value.trimEnd() : JSON.stringify(value)
    lines.push(text.includes('\n') ? `${key}:\n${indent(text)}` : `${key}: ${text}`)
  }
  return lines.join('\n')
}

/** Indents the text by two spaces, leaving empty lines empty. */
export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}
