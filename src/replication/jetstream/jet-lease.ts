import { jetstream } from '@nats-io/jetstream'
import type { KV } from '@nats-io/kv'
import { Kvm } from '@nats-io/kv'
import type { OpenStream } from './open-stream.js'
import { oncePassed } from './open-stream.js'

const KEY = 'leader'
const TTL_MS = 2000
const RENEW_MS = 500
const ASK_MS = 250
const REQUEST_MS = 1000

interface LeaseOptions {
  /** The name of the exchange, which takes its own lease again at once. */
  readonly holder: string
  /** Called once if another one has it, and this one waits. */
  readonly waiting: (holder: string) => void
  /** Called if another one has taken it. */
  readonly lost: (holder: string) => void
}

/**
 * Says which exchange leads: a key that its holder renews each half second, and that lapses after two. It
 * only keeps others from trying; the condition of each line in `JetLog` keeps them from writing.
 */
export class JetLease {
  readonly #bucket: KV
  readonly #options: LeaseOptions
  readonly #renewing: NodeJS.Timeout
  #revision: number
  #isAsking = false

  private constructor(bucket: KV, revision: number, options: LeaseOptions) {
    this.#bucket = bucket
    this.#revision = revision
    this.#options = options
    this.#renewing = setInterval(() => void this.#renew(), RENEW_MS)
  }

  /** Waits until no other exchange holds the lease of a log, and takes it. */
  static async take(stream: OpenStream, options: LeaseOptions): Promise<JetLease> {
    const client = jetstream(stream.connection, { timeout: REQUEST_MS })
    const settings = {
      ttl: TTL_MS,
      history: 1,
      replicas: stream.info.config.num_replicas,
      storage: 'memory' as const,
      allow_direct: false,
    }
    const bucket = await oncePassed(() => new Kvm(client).create(`${stream.name}-lease`, settings))
    let isWaiting = false
    for (;;) {
      const taken = await takeOnce(bucket, options.holder)
      if (typeof taken === 'number') return new JetLease(bucket, taken, options)
      if (taken !== undefined && !isWaiting) {
        isWaiting = true
        options.waiting(taken)
      }
      await new Promise(resolve => setTimeout(resolve, ASK_MS))
    }
  }

  /** Gives it up, so that another exchange need not wait. */
  async release(): Promise<void> {
    clearInterval(this.#renewing)
    await this.#bucket.delete(KEY, { previousSeq: this.#revision }).catch(() => undefined)
  }

  async #renew(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    const { holder, lost } = this.#options
    try {
      this.#revision = await this.#bucket.update(KEY, holder, this.#revision)
    } catch {
      // It has lapsed, another one has it, or nobody answers: then nobody else can take it either.
      const taken = await takeOnce(this.#bucket, holder)
      if (typeof taken === 'number') this.#revision = taken
      else if (taken !== undefined) {
        clearInterval(this.#renewing)
        lost(taken)
      }
    } finally {
      this.#isAsking = false
    }
  }
}

/** Takes the lease if it is free or the holder's own; returns its revision, its holder, or neither. */
async function takeOnce(bucket: KV, holder: string): Promise<number | string | undefined> {
  try {
    return await bucket.create(KEY, holder)
  } catch {
    // Someone has it, or nobody answers.
  }
  try {
    const entry = await bucket.get(KEY)
    if (entry === null || entry.operation !== 'PUT') return undefined
    if (entry.string() !== holder) return entry.string()
    return await bucket.update(KEY, holder, entry.revision)
  } catch {
    return undefined
  }
}
