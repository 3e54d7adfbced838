import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 10
const WINDOW_MS = 60_000
const NANOSECONDS = 1_000_000

/** By how much the main thread was late, in milliseconds. */
export interface LoopDelayReading {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Watches how late the event loop is: nobody is answered meanwhile. Forgets what was a minute ago. */
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

/** It measures from one tick to the next, so a loop that is never late shows the resolution. */
function late(nanoseconds: number): number {
  return Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS)
}
