import { hostname } from 'node:os'
import { jetstream } from '@nats-io/jetstream'
import type { KV } from '@nats-io/kv'
import { Kvm } from '@nats-io/kv'
import { secretBytes } from '../../access/secrets.js'
import { sharedClock } from '../lease-watch.js'
import type { LeaseWish } from './lease-wish.js'
import { grantWish, readWish } from './lease-wish.js'
import type { OpenStream } from './open-stream.js'
import { oncePassed } from './open-stream.js'

const KEY = 'leader'
/** Names an exchange that waits for the lease, and would lead if it lapsed. */
const RIVAL = 'rival'
/** Written behind the lease by those that were granted it. */
const BEHIND = 'behind'
const TTL_MS = 2000
const RENEW_MS = 500
const ASK_MS = 250
/** A request whose answer is lost is made again before the lease becomes doubtful. */
const REQUEST_MS = 500

export interface LeaseOptions {
  /** The name of this process, as of `holderOf`. */
  readonly holder: string
  /** Called once if another one has it, and this one waits. */
  readonly waiting: (holder: string) => void
  /** Called if another one has taken it. */
  readonly lost: (holder: string) => void
  /** Called once if another one asks for it. */
  readonly asked?: (by: string) => void
  /** Called with the time before each request that took or renewed it. */
  readonly renewed?: (at: number) => void
  /** Called with when another one was seen to wait for it. */
  readonly rivalled?: (at: number) => void
  /** Called with why it could not be renewed. */
  readonly silent?: (reason: string) => void
  /** Returns false if another one has led while it had lapsed. */
  readonly isOwnLog?: () => Promise<boolean>
  /** The wish to have it, although another one has. */
  readonly wish?: LeaseWish
  /** Ends the waiting: `take` then rejects. */
  readonly signal?: AbortSignal
  readonly clock?: () => number
}

/** The keys of a lease, each of which lapses two seconds after it was last put. */
export type LeaseBucket = Pick<KV, 'get' | 'create' | 'update' | 'put' | 'delete'>

/** Opens the bucket beside a stream; creates it if it is absent. */
export function openLeaseBucket(
  stream: Pick<OpenStream, 'name' | 'connection' | 'info'>,
): Promise<LeaseBucket> {
  const client = jetstream(stream.connection, { timeout: REQUEST_MS })
  const settings = {
    ttl: TTL_MS,
    history: 1,
    replicas: stream.info.config.num_replicas,
    storage: 'memory' as const,
    allow_direct: false,
  }
  return oncePassed(() => new Kvm(client).create(`${stream.name}-lease`, settings))
}

/** Returns a name for a process, unlike any other's: two machines may have the same name. */
export function holderOf(file: string): string {
  return `${hostname()}:${file}#${secretBytes(4).toString('hex')}`
}

/** Returns the machine and the file of a process: its name without what tells it from the one before. */
function placeOf(holder: string): string {
  return holder.slice(0, holder.lastIndexOf('#'))
}

/**
 * Says which exchange leads: a key that its holder renews each half second, and that lapses after two. It
 * only keeps others from trying; the condition of each line in `JetLog` keeps them from writing.
 */
export class JetLease {
  readonly #bucket: LeaseBucket
  readonly #options: LeaseOptions
  readonly #clock: () => number
  readonly #renewing: NodeJS.Timeout
  #revision: number
  #renewal: Promise<void> | undefined
  #isReleased = false
  #mayHaveLapsed = false
  #wasAsked = false

  /** True if the one that led has given it up, behind its last line. */
  readonly wasGivenUp: boolean

  private constructor(bucket: LeaseBucket, { revision, wasGivenUp, at }: Taken, options: LeaseOptions) {
    this.#bucket = bucket
    this.#options = options
    this.#clock = options.clock ?? sharedClock
    this.#revision = revision
    this.wasGivenUp = wasGivenUp
    options.renewed?.(at)
    this.#renewing = setInterval(() => this.#renewOnce(), RENEW_MS)
  }

  /** Waits until no other exchange holds the lease of a log, and takes it. */
  static async take(bucket: LeaseBucket, options: LeaseOptions): Promise<JetLease> {
    const { holder, wish, signal, clock = sharedClock } = options
    let isWaiting = false
    let hasWaitedForAnother = false
    while (signal?.aborted !== true) {
      await wish?.turn(bucket, holder)
      const at = clock()
      const taken = await takeUnlessWished(bucket, holder)
      if (typeof taken === 'object') {
        await wish?.fulfil(bucket)
        // The one that led may come back while this one sleeps, which must not answer then.
        if (hasWaitedForAnother) options.rivalled?.(clock())
        return new JetLease(bucket, { ...taken, at }, options)
      }
      if (taken !== undefined) {
        await bucket.put(RIVAL, holder).catch(() => undefined)
        if (!isWaiting) options.waiting(taken)
        isWaiting = true
        hasWaitedForAnother ||= placeOf(taken) !== placeOf(holder)
      }
      await new Promise(resolve => setTimeout(resolve, ASK_MS))
    }
    throw new Error('no longer waits for the lease')
  }

  /** Gives it up, so that another exchange need not wait. */
  async release(): Promise<void> {
    if (this.#isReleased) return
    this.#isReleased = true
    clearInterval(this.#renewing)
    // One that is under way would have another revision.
    await this.#renewal
    await this.#bucket.delete(KEY, { previousSeq: this.#revision }).catch(() => undefined)
  }

  #renewOnce(): void {
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined
    })
  }

  async #renew(): Promise<void> {
    const at = this.#clock()
    try {
      this.#revision = await this.#bucket.update(KEY, this.#options.holder, this.#revision)
    } catch (error) {
      await this.#takeAgain(error as Error)
      return
    }
    await this.#noteRenewed(at)
    // Nothing depends on what these find now rather than half a second later.
    await this.#lookForRival().catch(() => undefined)
    await this.#lookForWish().catch(() => undefined)
  }

  /** It has lapsed, another one has it, or nobody answers: then nobody else can take it either. */
  async #takeAgain(error: Error): Promise<void> {
    if (this.#isReleased) return
    const at = this.#clock()
    const taken = await takeOnce(this.#bucket, this.#options.holder)
    if (taken === undefined) this.#options.silent?.(error.message)
    else if (typeof taken === 'string') this.#lose(taken)
    else {
      this.#revision = taken.revision
      this.#mayHaveLapsed = true
      await this.#noteRenewed(at)
    }
  }

  /** Another one may have led, and be gone, while it had lapsed: only the log says. */
  async #noteRenewed(at: number): Promise<void> {
    const { renewed, isOwnLog } = this.#options
    if (this.#mayHaveLapsed && isOwnLog !== undefined) {
      const isOwn = await isOwnLog().catch(() => undefined)
      if (isOwn === false) this.#lose('another exchange')
      if (isOwn !== true) return
    }
    this.#mayHaveLapsed = false
    renewed?.(at)
  }

  #lose(holder: string): void {
    clearInterval(this.#renewing)
    this.#options.lost(holder)
  }

  async #lookForRival(): Promise<void> {
    const { holder, rivalled } = this.#options
    if (rivalled === undefined) return
    const entry = await this.#bucket.get(RIVAL)
    if (entry?.operation === 'PUT' && entry.string() !== holder) rivalled(this.#clock())
  }

  async #lookForWish(): Promise<void> {
    const { holder, asked } = this.#options
    if (asked === undefined || this.#wasAsked) return
    const wish = await readWish(this.#bucket)
    if (wish === undefined || wish.by === holder) return
    if (!wish.isGranted) {
      await grantWish(this.#bucket, wish)
      return
    }
    this.#wasAsked = true
    asked(wish.by)
  }
}

/** A lease as it was taken. */
interface Taken {
  readonly revision: number
  /** True if the one before has given it up: it lapsed otherwise, or it was this holder's own. */
  readonly wasGivenUp: boolean
  /** Before the request. */
  readonly at: number
}

async function takeUnlessWished(
  bucket: LeaseBucket,
  holder: string,
): Promise<Pick<Taken, 'revision' | 'wasGivenUp'> | string | undefined> {
  const wish = await readWish(bucket).catch(() => undefined)
  return wish === undefined || wish.by === holder ? takeOnce(bucket, holder) : wish.by
}

/**
 * Takes the lease if it is free or the holder's own; returns how, its holder, or neither. A server may grant
 * a free key twice, to requests that arrive while the first is still being stored: the key then has the
 * last one. Keys are stored in the order of their grants, so that it has it once a later key is stored.
 */
async function takeOnce(
  bucket: LeaseBucket,
  holder: string,
): Promise<Pick<Taken, 'revision' | 'wasGivenUp'> | string | undefined> {
  try {
    const entry = await bucket.get(KEY)
    if (entry === null || entry.operation !== 'PUT') {
      const revision = await bucket.create(KEY, holder)
      await bucket.put(BEHIND, holder)
      const stored = await bucket.get(KEY)
      if (stored?.string() !== holder) return stored?.string() || undefined
      return { revision, wasGivenUp: entry?.operation === 'DEL' }
    }
    if (entry.string() !== holder) return entry.string()
    return { revision: await bucket.update(KEY, holder, entry.revision), wasGivenUp: false }
  } catch {
    // Someone was faster, or nobody answers.
    return undefined
  }
}
