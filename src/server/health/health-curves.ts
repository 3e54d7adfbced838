import type { HealthCurve, HealthPoint } from '../../api/operator/health-reading.js'

const HOUR = { stepMs: 10_000, length: 360 }
const DAY = { stepMs: 5 * 60_000, length: 288 }

/** The ring of one range: the newest points, the oldest of which are overwritten. */
class Ring {
  readonly stepMs: number
  readonly #points: (HealthPoint | undefined)[]
  #next = 0

  constructor({ stepMs, length }: typeof HOUR) {
    this.stepMs = stepMs
    this.#points = new Array<HealthPoint | undefined>(length).fill(undefined)
  }

  add(point: HealthPoint): void {
    this.#points[this.#next] = point
    this.#next = (this.#next + 1) % this.#points.length
  }

  /** Returns the points, the oldest first. */
  read(): HealthPoint[] {
    const inOrder = [...this.#points.slice(this.#next), ...this.#points.slice(0, this.#next)]
    return inOrder.filter(point => point !== undefined)
  }
}

/**
 * Keeps how the exchange was over the last hour and the last day, in fixed memory: 648 points. A point of
 * the day sums up those of its five minutes: means, but the largest latency, queue and delay, so that no peak
 * is lost.
 */
export class HealthCurves {
  readonly #hour = new Ring(HOUR)
  readonly #day = new Ring(DAY)
  #collected: HealthPoint[] = []

  /** Adds a point; to be called about every ten seconds. */
  add(point: HealthPoint): void {
    this.#hour.add(point)
    this.#collected.push(point)
    const [first] = this.#collected
    if (first === undefined || point.at - first.at < DAY.stepMs - HOUR.stepMs) return
    this.#day.add(summedUp(this.#collected))
    this.#collected = []
  }

  read(range: 'hour' | 'day'): HealthCurve {
    const ring = range === 'hour' ? this.#hour : this.#day
    return { stepMs: ring.stepMs, points: ring.read() }
  }

  /** The time between two points. */
  static readonly stepMs = HOUR.stepMs
}

function summedUp(points: readonly HealthPoint[]): HealthPoint {
  const values = (of: keyof HealthPoint) =>
    points.map(point => point[of]).filter(value => value !== undefined)
  const mean = (of: keyof HealthPoint) => values(of).reduce((sum, value) => sum + value, 0) / points.length
  const largest = (numbers: readonly number[]) => numbers.reduce((most, value) => Math.max(most, value))
  const max = (of: keyof HealthPoint) => largest(values(of))
  const latencies = values('latencyP99Ms')
  return {
    at: points.at(-1)?.at ?? 0,
    ordersPerSecond: mean('ordersPerSecond'),
    latencyP99Ms: latencies.length === 0 ? undefined : largest(latencies),
    queue: max('queue'),
    loopDelayMs: max('loopDelayMs'),
    connections: Math.round(mean('connections')),
    memoryBytes: max('memoryBytes'),
    freeBytes: values('freeBytes').reduce((least, value) => Math.min(least, value)),
  }
}
