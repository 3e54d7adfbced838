const WORDS = "making the demo's history"

/** Shows the progress of making a demo's history on one line; without a terminal, one line at its start. */
export class HistoryProgress {
  readonly #out: { write(text: string): unknown }
  readonly #isTerminal: boolean
  #percent: number | undefined

  constructor(out: { write(text: string): unknown }, isTerminal: boolean) {
    this.#out = out
    this.#isTerminal = isTerminal
  }

  /** @param share from 0 to 1; 1 ends the line */
  update(share: number): void {
    const percent = Math.floor(share * 100)
    if (percent === this.#percent) return
    const isFirst = this.#percent === undefined
    this.#percent = percent
    if (this.#isTerminal) this.#out.write(`\r${WORDS}: ${percent} %${percent === 100 ? '\n' : ''}`)
    else if (isFirst) this.#out.write(`raay: ${WORDS}\n`)
  }
}
