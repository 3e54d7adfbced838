import { frameOf } from './frame.js'
import { packetOf } from './packet.js'

/**
 * Messages on their way to any number of readers. The form in which a line carries them is made when the
 * first reader needs it, and only once.
 */
export class EncodedMessages {
  readonly all: readonly string[]
  #frames: Buffer | undefined
  #packets: readonly string[] | undefined

  /** @param all JSON texts of `{event, data, …}`, as they go over a plain WebSocket */
  constructor(all: readonly string[]) {
    this.all = all
  }

  /** The length of all of them together. */
  get chars(): number {
    return this.all.reduce((sum, text) => sum + text.length, 0)
  }

  /** All of them as WebSocket frames, in one buffer. */
  get frames(): Buffer {
    this.#frames ??= Buffer.concat(this.all.map(frameOf))
    return this.#frames
  }

  /** Each of them as a Socket.IO event. */
  get packets(): readonly string[] {
    this.#packets ??= this.all.map(packetOf)
    return this.#packets
  }
}
