import type { TermsOf } from '../../api/channels/user-messages.js'
import { userSnapshotParts } from '../../api/channels/user-messages.js'
import type { UserSnapshot } from '../../core/records/user-message.js'
import type { TimeMs } from '../../core/units.js'
import type { PrivateChannels } from '../../exchange/reads/private-channels.js'
import type { Work } from '../scheduler.js'
import { EncodedMessages } from '../transports/encoded-messages.js'

/** The most snapshots built at once: each holds a copy of its contents. */
export const MAKINGS_MAX = 64
/** The cached text of finished snapshots, for subscribers who ask before the user's next message. */
const KEPT_CHARS_MAX = 16 * 1024 * 1024
/** Added to each text's length, for the memory that holds it: a hundred thousand short ones slow every GC. */
const KEPT_OVERHEAD_CHARS = 1024
const ROWS_PER_POINT = 50
const CHARS_PER_POINT = 1024

/** The first message of a user's channel. */
export interface MadeSnapshot {
  readonly userSeq: number
  readonly texts: EncodedMessages
  readonly chars: number
}

/**
 * Builds the snapshots of private channels, in steps. A user's state is copied at once, so it is consistent;
 * only the encoding takes many steps. One snapshot per user is built at a time for all who wait for it, and
 * each of them advances it: none has to stay until it is finished. It is dropped with the last of them, since
 * nobody advances it any more.
 */
export class UserSnapshots {
  readonly #channel: Pick<PrivateChannels, 'userSeq' | 'snapshot'>
  readonly #partsOf: (userId: string, snapshot: UserSnapshot) => Generator<string, void>
  readonly #makings = new Map<string, Making>()
  /** Least recently used first. */
  readonly #kept = new Map<string, MadeSnapshot>()
  #keptChars = 0
  #madeCount = 0

  constructor(channel: Pick<PrivateChannels, 'userSeq' | 'snapshot'>, now: () => TimeMs, termsOf: TermsOf) {
    this.#channel = channel
    this.#partsOf = (userId, snapshot) => userSnapshotParts(userId, snapshot, now(), termsOf)
  }

  /** The number of snapshots made so far. */
  get madeCount(): number {
    return this.#madeCount
  }

  /** Returns a user's snapshot; builds a new one if the user has had a message since the last. */
  *of(userId: string): Work<MadeSnapshot> {
    const kept = this.#kept.get(userId)
    if (kept?.userSeq === this.#channel.userSeq(userId)) {
      this.#kept.delete(userId)
      this.#kept.set(userId, kept)
      return kept
    }
    let making = this.#makings.get(userId)
    while (making === undefined && this.#makings.size >= MAKINGS_MAX) {
      const [[oldestId, oldest] = [userId, undefined]] = this.#makings
      if (oldest !== undefined) yield this.#step(oldestId, oldest)
      making = this.#makings.get(userId)
    }
    let cost = 0
    if (making === undefined) {
      const snapshot = this.#channel.snapshot(userId)
      making = new Making(snapshot, this.#partsOf(userId, snapshot))
      this.#makings.set(userId, making)
      cost = 1 + Math.floor((snapshot.orders.length + snapshot.positions.length) / ROWS_PER_POINT)
    }
    making.waitingCount++
    try {
      if (cost > 0) yield cost
      while (making.made === undefined) yield this.#step(userId, making)
      return making.made
    } finally {
      making.waitingCount--
      if (making.waitingCount === 0 && this.#makings.get(userId) === making) this.#makings.delete(userId)
    }
  }

  #step(userId: string, making: Making): number {
    const points = making.step()
    const { made } = making
    if (made === undefined || !this.#makings.delete(userId)) return points
    this.#madeCount++
    this.#keep(userId, made)
    return points
  }

  #keep(userId: string, made: MadeSnapshot): void {
    this.#forget(userId)
    this.#kept.set(userId, made)
    this.#keptChars += KEPT_OVERHEAD_CHARS + made.chars
    for (const oldest of this.#kept.keys()) {
      if (this.#keptChars <= KEPT_CHARS_MAX) break
      this.#forget(oldest)
    }
  }

  #forget(userId: string): void {
    const known = this.#kept.get(userId)
    if (known === undefined) return
    this.#keptChars -= KEPT_OVERHEAD_CHARS + known.chars
    this.#kept.delete(userId)
  }
}

/** A snapshot being built. */
class Making {
  made: MadeSnapshot | undefined
  /** The number of subscribers who wait for it. */
  waitingCount = 0
  readonly #userSeq: number
  readonly #parts: Generator<string, void>
  readonly #written: string[] = []

  constructor({ userSeq }: UserSnapshot, parts: Generator<string, void>) {
    this.#userSeq = userSeq
    this.#parts = parts
  }

  /** Encodes the next part and returns its cost. */
  step(): number {
    const { value, done } = this.#parts.next()
    if (!done) {
      this.#written.push(value)
      return 1 + Math.floor(value.length / CHARS_PER_POINT)
    }
    const text = this.#written.join('')
    this.made = { userSeq: this.#userSeq, texts: new EncodedMessages([text]), chars: text.length }
    return 1 + Math.floor(text.length / (16 * CHARS_PER_POINT))
  }
}
