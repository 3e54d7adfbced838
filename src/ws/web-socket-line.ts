import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { frameOf } from './frame.js'
import type { Answer, Line } from './line.js'
import type { Texts } from './texts.js'

/** A WebSocket, and the TCP socket below it. */
export class WebSocketLine implements Line {
  readonly #socket: WebSocket
  readonly #tcp: Socket
  #isAlive = true

  constructor(socket: WebSocket, tcp: Socket) {
    this.#socket = socket
    this.#tcp = tcp
    const noteAlive = () => {
      this.#isAlive = true
    }
    socket.on('pong', noteAlive)
    socket.on('message', noteAlive)
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN && !this.#tcp.destroyed
  }

  get unsentBytes(): number {
    return this.#tcp.writableLength
  }

  /** Writes ready frames in one go. They are whole and not compressed, so they never mix with others. */
  write(texts: Texts): void {
    if (this.isOpen) this.#tcp.write(texts.frames)
  }

  answer(answer: Answer): void {
    if (this.isOpen) this.#tcp.write(frameOf(JSON.stringify(answer)))
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

  terminate(): void {
    this.#socket.terminate()
  }
}
