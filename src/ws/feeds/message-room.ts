/** The most messages that all channels remember together, about 400 bytes each. */
const REMEMBERED_MAX = 131_072

interface Remembering {
  /** Forgets all messages so far, and frees the room they take. */
  forget(): void
}

/**
 * The messages that all channels remember. With many channels, those that have been silent for longest forget
 * theirs: readers who ask for them get the whole state.
 */
export class MessageRoom {
  /** The number that each channel remembers; the one silent for longest is at the front. */
  readonly #lengths = new Map<Remembering, number>()
  readonly #max: number
  #length = 0

  constructor(max = REMEMBERED_MAX) {
    this.#max = max
  }

  /** Takes note of what a channel remembers, now that it has said something. */
  take(channel: Remembering, length: number): void {
    this.free(channel)
    this.#lengths.set(channel, length)
    this.#length += length
    for (const silent of this.#lengths.keys()) {
      if (this.#length <= this.#max || silent === channel) break
      silent.forget()
    }
  }

  free(channel: Remembering): void {
    this.#length -= this.#lengths.get(channel) ?? 0
    this.#lengths.delete(channel)
  }
}
