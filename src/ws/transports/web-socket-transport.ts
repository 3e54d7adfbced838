import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { turnEnd } from '../../shard/turn-end.js'
import { CONGESTED_BYTES } from '../connection.js'
import type { EncodedMessages } from './encoded-messages.js'
import { frameOf, latin1FrameOf } from './frame.js'
import type { Answer, Transport } from './transport.js'

/** How long a disconnected client has to read the reason. */
export const EXPULSION_MS = 1000

/** A WebSocket and its TCP socket. */
export class WebSocketTransport implements Transport {
  readonly #socket: WebSocket
  readonly #tcp: Socket
  #isAlive = true
  /** True while answers are gathered for one write. */
  #isGathering = false

  constructor(socket: WebSocket, tcp: Socket) {
    this.#socket = socket
    this.#tcp = tcp
    const noteAlive = () => {
      this.#isAlive = true
    }
    socket.on('pong', noteAlive)
    socket.on('message', () => {
      noteAlive()
      turnEnd.hurry()
    })
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN && !this.#tcp.destroyed
  }

  get unsentBytes(): number {
    return this.#tcp.writableLength
  }

  get isCongested(): boolean {
    return this.unsentBytes > CONGESTED_BYTES
  }

  /** Writes encoded frames at once. They are complete and uncompressed, so they never mix with others. */
  write(texts: EncodedMessages): void {
    if (this.isOpen) this.#tcp.write(texts.frames)
  }

  /** Answers of one commit, or one event, go out in one write. */
  answer(answer: Answer): void {
    if (!this.isOpen) return
    if (!this.#isGathering) {
      this.#isGathering = true
      this.#tcp.cork()
      process.nextTick(this.#sendGathered)
    }
    const text = JSON.stringify(answer)
    const frame = latin1FrameOf(text)
    if (frame === undefined) this.#tcp.write(frameOf(text))
    else this.#tcp.write(frame, 'latin1')
  }

  /** Runs once all that the commit, or the event, has led to is done. */
  readonly #sendGathered = (): void => {
    this.#isGathering = false
    this.#tcp.uncork()
  }

  writeTogether(work: () => void): void {
    this.#tcp.cork()
    try {
      work()
    } finally {
      this.#tcp.uncork()
    }
  }

  onDrain(listener: () => void): void {
    this.#tcp.on('drain', listener)
  }

  ping(): void {
    if (!this.#isAlive) {
      this.#socket.terminate()
      return
    }
    this.#isAlive = false
    if (this.isOpen) this.#socket.ping()
  }

  close(code: number, reason: string): void {
    if (this.isOpen) this.#socket.close(code, reason)
  }

  expel(code: number, reason: string): void {
    this.close(code, reason)
    this.#socket.pause()
    setTimeout(() => this.#socket.terminate(), EXPULSION_MS).unref()
  }

  terminate(): void {
    this.#socket.terminate()
  }
}
