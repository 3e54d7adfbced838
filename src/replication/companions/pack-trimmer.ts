import type { PackLog } from './pack-log.js'

/** Deletes old packs while others are sent: there may be thousands, and no answer waits for them. */
export class PackTrimmer {
  readonly #log: PackLog
  readonly #untrimmed: (reason: string | undefined) => void
  /** Packs before this are to be deleted. */
  #before = 0
  #isRunning = false

  /** @param untrimmed called with why packs cannot be deleted; undefined once they are */
  constructor(log: PackLog, untrimmed: (reason: string | undefined) => void) {
    this.#log = log
    this.#untrimmed = untrimmed
  }

  /** Begins to delete the packs before a place; what fails is deleted with those of a later call. */
  trim(before: number): void {
    this.#before = before
    if (!this.#isRunning) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (let done = 0; done < this.#before; ) {
      const before = this.#before
      try {
        await this.#log.trim(before)
        this.#untrimmed(undefined)
      } catch (error) {
        this.#untrimmed(`old packs cannot be deleted: ${(error as Error).message}`)
      }
      done = before
    }
    this.#isRunning = false
  }
}
