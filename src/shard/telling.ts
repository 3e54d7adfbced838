import type { MessagePort } from 'node:worker_threads'
import { MessageChannel } from 'node:worker_threads'
import type { FlatBatch } from './flat-batch.js'

/**
 * The way of committed batches from the shards to the follower: between threads a channel for each shard,
 * past the main thread; in one thread a list. Its length is bounded by how far the tables may be behind.
 */
export class Telling {
  /** The follower's ends of the channels. */
  readonly ports: MessagePort[] = []
  readonly #waiting: FlatBatch[] = []

  /** Opens a channel, and returns the shard's end of it. */
  openPort(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.ports.push(port2)
    return port1
  }

  readonly tell = (batch: FlatBatch): void => {
    this.#waiting.push(batch)
  }

  readonly next = (): FlatBatch | undefined => this.#waiting.shift()
}
