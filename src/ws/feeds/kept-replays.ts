import type { EncodedMessages } from '../transports/encoded-messages.js'

/** The most places of one channel whose messages are kept: a client may name any that it still has. */
export const PLACES_MAX = 32
/** The most characters kept for all channels. */
export const KEPT_CHARS_MAX = 16 * 1024 * 1024

/** The characters that all channels keep for readers, who may name as many places as there are. */
export class ReplayRoom {
  /** Those that keep some, the one that began first to the front. */
  readonly #kept = new Map<KeptReplays, number>()
  #chars = 0

  get chars(): number {
    return this.#chars
  }

  /** Counts what a channel keeps; clears others, the oldest first, until all of it fits. */
  take(replays: KeptReplays, chars: number): void {
    this.#kept.set(replays, (this.#kept.get(replays) ?? 0) + chars)
    this.#chars += chars
    for (const oldest of this.#kept.keys()) {
      if (this.#chars <= KEPT_CHARS_MAX) break
      oldest.clear()
    }
  }

  free(replays: KeptReplays): void {
    this.#chars -= this.#kept.get(replays) ?? 0
    this.#kept.delete(replays)
  }
}

/** The messages after some places of a channel, encoded once for all readers there until the next message. */
export class KeptReplays {
  readonly #room: ReplayRoom
  readonly #byPlace = new Map<number, EncodedMessages>()

  constructor(room: ReplayRoom) {
    this.#room = room
  }

  /** Returns what comes after a place; makes it if it is not kept. */
  after(seq: number, make: () => EncodedMessages): EncodedMessages {
    const known = this.#byPlace.get(seq)
    if (known !== undefined) return known
    const texts = make()
    if (this.#byPlace.size >= PLACES_MAX) this.clear()
    this.#byPlace.set(seq, texts)
    this.#room.take(this, texts.chars)
    return texts
  }

  clear(): void {
    if (this.#byPlace.size === 0) return
    this.#byPlace.clear()
    this.#room.free(this)
  }
}
