import type { Sequence } from '../../core/units.js'
import type { StandbyMarks } from './standby-marks.js'

/** How often a standby says how far it is, and again after an attempt that failed. */
const [SAY_MS, SAY_AGAIN_MS] = [60_000, 5000]

interface MarkingParts {
  readonly open: () => Promise<StandbyMarks>
  readonly id: string
  /** Tells why the mark is not there; once for each reason. */
  readonly warn: (message: string) => void
}

/** Says for a standby how far it is, so that what it lacks stays in the log. */
export class StandbyMarking {
  readonly #parts: MarkingParts
  /** The last line that it has. */
  sequence: Sequence
  #marks: StandbyMarks | undefined
  #timer: NodeJS.Timeout | undefined
  #saying: Promise<void>
  #warned: string | undefined
  #isOver = false

  constructor(parts: MarkingParts, sequence: Sequence) {
    this.#parts = parts
    this.sequence = sequence
    this.#saying = this.#say()
  }

  /** Resolves once it was said, or could not be. */
  get said(): Promise<void> {
    return this.#saying
  }

  /** Says nothing any more: the mark counts until it lapses, in case the standby is started again. */
  stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  /** Takes the mark back: this exchange leads. */
  async end(): Promise<void> {
    this.stop()
    // One that is under way would be stored behind.
    await this.#saying
    await this.#marks?.withdraw(this.#parts.id).catch(() => undefined)
  }

  async #say(): Promise<void> {
    const { open, id, warn } = this.#parts
    let pauseMs = SAY_MS
    try {
      this.#marks ??= await open()
      await this.#marks.say({ id, sequence: this.sequence })
      this.#warned = undefined
    } catch (error) {
      pauseMs = SAY_AGAIN_MS
      const { message } = error as Error
      if (!this.#isOver && message !== this.#warned) {
        warn(`cannot say in the log how far it is, which may be trimmed meanwhile: ${message}`)
      }
      this.#warned = message
    }
    if (this.#isOver) return
    this.#timer = setTimeout(() => {
      this.#saying = this.#say()
    }, pauseMs)
  }
}
