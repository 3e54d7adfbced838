import type { KV, KvEntry } from '@nats-io/kv'

/** The part of a bucket that a wish uses. */
type WishBucket = Pick<KV, 'get' | 'put' | 'delete'>

/** Names the standby that is to lead: its leader gives the lease up, and nobody else takes it. */
const KEY = 'wish'
const GRANTED = 'granted '
/** Of the turns in which a standby waits for the lease, those in which it says its wish again. */
const TURNS = 3
/** Attempts to take a wish back. */
const TRIES = 8

/** A wish as it is stored: names the standby, and says whether the exchange that leads has agreed to stop. */
export interface Wished {
  readonly by: string
  readonly isGranted: boolean
  readonly revision: number
}

/**
 * How a wish was taken back: nobody will follow it; the exchange that leads is stopping already; or the
 * servers do not say.
 */
export type Withdrawal = 'withdrawn' | 'granted' | 'unknown'

/**
 * A standby's wish to lead. The exchange that leads agrees by changing the wish, and stops once it has seen
 * that it is changed; a standby takes it back by deleting it, and looks what is there then. So both go by the
 * last of the two, even if a cluster accepts both under one condition (nats-server issue 4320).
 */
export class LeaseWish {
  #isWanted = false
  /** True once it was sent: it may be there although no answer came. */
  #isSaid = false
  #isGranted = false
  #isFulfilled = false
  #turn = 0
  #triesLeft = 0
  #withdrawn: ((how: Withdrawal) => void) | undefined

  /** True until it is withdrawn. */
  get isWanted(): boolean {
    return this.#isWanted
  }

  /** Says it from the next turn on. */
  begin(): void {
    this.#isWanted = true
    this.#isSaid = false
    this.#isGranted = false
    this.#turn = 0
  }

  /** Calls back once it is taken back, or cannot be: in one of the next turns, or now if it is fulfilled. */
  withdraw(done: (how: Withdrawal) => void): void {
    if (this.#isFulfilled) {
      done('granted')
      return
    }
    this.#triesLeft = TRIES
    this.#withdrawn = done
  }

  /** Says, or takes back, what is to be said; to be called in each turn that waits for the lease. */
  async turn(bucket: WishBucket, holder: string): Promise<void> {
    try {
      if (this.#withdrawn !== undefined) await this.#takeBack(bucket, holder)
      else if (this.#isWanted && this.#turn++ % TURNS === 0) await this.#say(bucket, holder)
    } catch {
      // Tried again; or the exchange that leads has just agreed.
      if (this.#withdrawn !== undefined && --this.#triesLeft === 0) this.#end('unknown')
    }
  }

  /** Ends it: its standby has the lease. */
  async fulfil(bucket: Pick<KV, 'delete'>): Promise<void> {
    this.#isFulfilled = true
    if (this.#isWanted) await bucket.delete(KEY).catch(() => undefined)
    this.#end('granted')
  }

  async #say(bucket: WishBucket, holder: string): Promise<void> {
    const found = await bucket.get(KEY)
    const wish = wishOf(found)
    if (wish !== undefined && wish.by !== holder) return
    this.#isGranted ||= wish?.isGranted === true
    this.#isSaid = true
    const text = this.#isGranted ? `${GRANTED}${holder}` : holder
    await bucket.put(KEY, text, { previousSeq: found?.revision ?? 0 })
  }

  async #takeBack(bucket: WishBucket, holder: string): Promise<void> {
    const found = await readWish(bucket)
    if (found?.by === holder && !found.isGranted && !this.#isGranted) {
      await bucket.delete(KEY, { previousSeq: found.revision })
      const after = await readWish(bucket)
      this.#end(after?.by === holder ? 'granted' : 'withdrawn')
    } else if (this.#isGranted || found?.by === holder) this.#end('granted')
    // One that has lapsed may have been agreed to before.
    else this.#end(this.#isSaid ? 'unknown' : 'withdrawn')
  }

  #end(how: Withdrawal): void {
    this.#isWanted = false
    this.#withdrawn?.(how)
    this.#withdrawn = undefined
  }
}

/** Returns who is to lead; undefined if nobody asks. */
export async function readWish(bucket: WishBucket): Promise<Wished | undefined> {
  return wishOf(await bucket.get(KEY))
}

function wishOf(entry: KvEntry | null): Wished | undefined {
  if (entry?.operation !== 'PUT') return undefined
  const text = entry.string()
  const isGranted = text.startsWith(GRANTED)
  return { by: isGranted ? text.slice(GRANTED.length) : text, isGranted, revision: entry.revision }
}

/** Agrees to a wish. Rejects if it was taken back. */
export async function grantWish(bucket: WishBucket, { by, revision }: Wished): Promise<void> {
  await bucket.put(KEY, `${GRANTED}${by}`, { previousSeq: revision })
}
