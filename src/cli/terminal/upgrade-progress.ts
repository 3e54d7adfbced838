import { ProgressLine } from './progress-line.js'

/** Work of an upgrade; milliseconds as measured on another machine. */
interface Progress {
  readonly what: string
  readonly doneMs: number
  readonly totalMs: number
}

/** From this share on, the time left follows from the time spent on this machine. */
const OWN_PACE_SHARE = 0.05
/** In the log, a long step has a line each time that so much more is done. */
const PERCENT_BETWEEN_LINES = 10

/** Shows the progress of an upgrade and the time left: a bar on a terminal, lines of the log elsewhere. */
export class UpgradeProgress {
  readonly #line: ProgressLine | undefined
  readonly #log: (facts: object, what: string) => void
  readonly #watch: () => number
  #startedAt: number | undefined
  #logged = { what: '', percent: 0 }

  /**
   * @param terminal where the bar is drawn; undefined without a terminal
   * @param log writes a line of the log
   * @param watch a monotonic clock in milliseconds
   */
  constructor(
    terminal: { write(text: string): unknown } | undefined,
    log: (facts: object, what: string) => void,
    watch: () => number = () => performance.now(),
  ) {
    this.#line = terminal && new ProgressLine(terminal, true)
    this.#log = log
    this.#watch = watch
  }

  update({ what, doneMs, totalMs }: Progress): void {
    const now = this.#watch()
    this.#startedAt ??= now
    const share = totalMs === 0 ? 1 : Math.min(1, doneMs / totalMs)
    const spentMs = now - this.#startedAt
    const leftMs = share < OWN_PACE_SHARE ? totalMs - doneMs : (spentMs * (1 - share)) / share
    const secondsLeft = Math.ceil(leftMs / 1000)
    if (this.#line !== undefined) this.#line.update(share, () => `${what}, about ${secondsLeft} s left`)
    else this.#logWhereNew({ what, percent: Math.floor(share * 100) }, secondsLeft)
  }

  #logWhereNew(next: { readonly what: string; readonly percent: number }, secondsLeft: number): void {
    const { what, percent } = next
    if (what === this.#logged.what && percent < this.#logged.percent + PERCENT_BETWEEN_LINES) return
    this.#logged = next
    this.#log({ percent, secondsLeft }, `upgrading the data: ${what}`)
  }

  /** Clears the bar, so that further output starts on a new line. */
  end(): void {
    this.#line?.end()
  }
}
