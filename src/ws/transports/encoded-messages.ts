import { frameOf } from './frame.js'
import { packetOf } from './packet.js'

/**
 * Messages for any number of subscribers. Each transport's encoding is made once, when the first subscriber
 * needs it.
 */
export class EncodedMessages {
  readonly all: readonly string[]
  #frames: Buffer | undefined
  #packets: readonly string[] | undefined

  /** @param all JSON texts of `{event, data, …}`, as they go over a plain WebSocket */
  constructor(all: readonly string[]) {
    this.all = all
  }

  /** The total length. */
  get chars(): number {
    return this.all.reduce((sum, text) => sum + text.length, 0)
  }

  /** All messages as WebSocket frames, in one buffer. */
  get frames(): Buffer {
    this.#frames ??= Buffer.concat(this.all.map(frameOf))
    return this.#frames
  }

  /** Each message as a Socket.IO event. */
  get packets(): readonly string[] {
    this.#packets ??= this.all.map(packetOf)
    return this.#packets
  }
}
