import { jetstream } from '@nats-io/jetstream'
import type { KV } from '@nats-io/kv'
import { Kvm } from '@nats-io/kv'
import type { OpenStream } from './open-stream.js'
import { oncePassed } from './open-stream.js'

const KEY = 'leader'
/** Names the standby that is to lead: its leader gives the lease up, and nobody else takes it. */
const WISH = 'wish'
const TTL_MS = 2000
const RENEW_MS = 500
const ASK_MS = 250
const REQUEST_MS = 1000

export interface LeaseOptions {
  /** The name of the exchange, which takes its own lease again at once. */
  readonly holder: string
  /** Called once if another one has it, and this one waits. */
  readonly waiting: (holder: string) => void
  /** Called if another one has taken it. */
  readonly lost: (holder: string) => void
  /** Called once if another one asks for it. */
  readonly asked?: (by: string) => void
  /** Returns true if the one that has it is to be asked for it. */
  readonly isWanted?: () => boolean
  /** Ends the waiting: `take` then rejects. */
  readonly signal?: AbortSignal
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
  #wasAsked = false

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
    const { holder, isWanted, signal } = options
    let isWaiting = false
    while (signal?.aborted !== true) {
      const isWished = isWanted?.() === true
      if (isWished) await bucket.put(WISH, holder).catch(() => undefined)
      const taken = await takeUnlessWished(bucket, holder)
      if (typeof taken === 'number') {
        if (isWished) await bucket.delete(WISH).catch(() => undefined)
        return new JetLease(bucket, taken, options)
      }
      if (taken !== undefined && !isWaiting) {
        isWaiting = true
        options.waiting(taken)
      }
      await new Promise(resolve => setTimeout(resolve, ASK_MS))
    }
    throw new Error('no longer waits for the lease')
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
      await this.#lookForWish()
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

  async #lookForWish(): Promise<void> {
    const { holder, asked } = this.#options
    if (asked === undefined || this.#wasAsked) return
    const wish = await wishIn(this.#bucket)
    if (wish === undefined || wish === holder) return
    this.#wasAsked = true
    asked(wish)
  }
}

async function takeUnlessWished(bucket: KV, holder: string): Promise<number | string | undefined> {
  const wish = await wishIn(bucket)
  return wish === undefined || wish === holder ? takeOnce(bucket, holder) : wish
}

/** Returns who is to lead; undefined if nobody asks, or nobody answers. */
async function wishIn(bucket: KV): Promise<string | undefined> {
  try {
    const entry = await bucket.get(WISH)
    return entry?.operation === 'PUT' ? entry.string() : undefined
  } catch {
    return undefined
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
