import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 10
const WINDOW_MS = 60_000
const NANOSECONDS = 1_000_000

/** Event-loop delay in milliseconds. */
export interface LoopDelayReading {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Measures event-loop delay, during which no request is answered, over the last minute. */
export class LoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  readonly #window: NodeJS.Timeout

  constructor() {
    this.#histogram.enable()
    this.#window = setInterval(() => this.#histogram.reset(), WINDOW_MS).unref()
  }

  read(): LoopDelayReading {
    const { count, max } = this.#histogram
    if (count === 0) return { p50: 0, p99: 0, max: 0 }
    const [p50, p99] = [this.#histogram.percentile(50), this.#histogram.percentile(99)]
    return { p50: late(p50), p99: late(p99), max: late(max) }
  }

  stop(): void {
    clearInterval(this.#window)
    this.#histogram.disable()
  }
}

/**
 * Subtracts the resolution: the histogram measures from tick to tick, so an idle loop shows the resolution.
 */
function late(nanoseconds: number): number {
  return Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS)
}
