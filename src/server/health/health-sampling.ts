import type { HealthCurve, HealthPoint } from '../../api/operator/health-reading.js'
import type { Exchange } from '../../exchange/exchange.js'
import { LoopDelay } from '../../exchange/operations/loop-delay.js'
import type { Sources } from '../../exchange/sources.js'
import type { Connections } from '../connections.js'
import { HealthCurves } from './health-curves.js'

/** Notes every ten seconds how the exchange is, and measures the delay of the main thread. */
export class HealthSampling {
  readonly loopDelay = new LoopDelay()
  readonly #exchange: Pick<Exchange, 'health'>
  readonly #connections: Pick<Connections, 'count'>
  readonly #now: Sources['now']
  readonly #curves = new HealthCurves()
  readonly #timer: NodeJS.Timeout

  /** Starts immediately. */
  constructor(
    exchange: Pick<Exchange, 'health'>,
    connections: Pick<Connections, 'count'>,
    now: Sources['now'],
  ) {
    this.#exchange = exchange
    this.#connections = connections
    this.#now = now
    this.#timer = setInterval(() => void this.#sample(), HealthCurves.stepMs).unref()
    void this.#sample()
  }

  curve(range: 'hour' | 'day'): HealthCurve {
    return this.#curves.read(range)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.loopDelay.stop()
  }

  /** Adds a point, unless exchange or system cannot be read, such as while it closes or files run out. */
  async #sample(): Promise<void> {
    try {
      this.#curves.add(await this.#point())
    } catch {
      // A point is missing.
    }
  }

  async #point(): Promise<HealthPoint> {
    const health = await this.#exchange.health()
    return {
      at: this.#now(),
      ordersPerSecond: health.orders.perSecond.minute,
      latencyP99Ms: health.orders.p99Ms,
      queue: health.shards.reduce((sum, { queueLength }) => sum + queueLength, 0),
      loopDelayMs: this.loopDelay.read().p99,
      connections: this.#connections.count,
      memoryBytes: process.memoryUsage.rss(),
      freeBytes: health.disk.freeBytes,
    }
  }
}
