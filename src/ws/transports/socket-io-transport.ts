import type { Socket } from 'socket.io'
import type { WebSocket } from 'ws'
import type { ReadMessage, MessageReader } from '../../api/channels/client-message.js'
import { CONGESTED_BYTES, UNSENT_BYTES_MAX } from '../connection.js'
import type { EncodedMessages } from './encoded-messages.js'
import { packetOf } from './packet.js'
import type { Answer, Transport } from './transport.js'

/** A client's Engine.IO session, which starts with polling and may upgrade to a WebSocket. */
type Session = Socket['conn']

/** A message with pending answers. */
interface Question {
  /** The client's id of the message. */
  readonly id: string | number | undefined
  readonly callback: ((answer: unknown) => void) | undefined
  /** True for a list, which is acknowledged with a list. */
  readonly isList: boolean
  readonly length: number
  readonly answers: Answer[]
}

/** How long a closing session waits for the client to fetch its last packet. */
const CLOSE_TIMEOUT_MS = 1000

const UNCOMPRESSED = { compress: false }

/** A Socket.IO session. It buffers unsent packets, which are counted here. */
export class SocketIoTransport implements Transport {
  readonly #session: Session
  readonly #questions = new Map<unknown, Question>()
  #lastQuestion = 0
  #waitingBytes = 0
  #isBehind = false
  #isClosing = false
  #drained: () => void = () => {}

  constructor(session: Session) {
    this.#session = session
    // Only polling has such a timeout, of half a minute, and nothing else sets it.
    Object.assign(session.transport, { closeTimeout: CLOSE_TIMEOUT_MS })
    session.on('packetCreate', ({ data }: { readonly data?: unknown }) => this.#noteWaiting(data))
    session.on('flush', () => {
      this.#waitingBytes = 0
    })
    session.transport.on('drain', this.#look)
    session.on('upgrade', (transport: Session['transport']) => {
      transport.on('drain', this.#look)
      this.#look()
    })
    session.on('packet', ({ data }: { readonly data?: unknown }) => {
      // No message is binary, and the parts of a binary message would be buffered until the last arrives.
      if (data !== undefined && typeof data !== 'string') this.terminate()
    })
  }

  get isOpen(): boolean {
    return this.#session.readyState === 'open' && !this.#isClosing
  }

  get unsentBytes(): number {
    return this.#waitingBytes + (this.#webSocket?.bufferedAmount ?? 0)
  }

  /** A client found to be congested is called back when it has drained. */
  get isCongested(): boolean {
    if (this.unsentBytes > CONGESTED_BYTES) this.#isBehind = true
    return this.#isBehind
  }

  /**
   * Returns the message that an event stands for: as over a plain WebSocket, with the event's name as the
   * verb and its argument as the data, a list of them, or an object with `data` or `events` and more fields.
   */
  read(messages: MessageReader, event: unknown, args: readonly unknown[]): ReadMessage {
    const last = args.at(-1)
    const callback = typeof last === 'function' ? (last as Question['callback']) : undefined
    const given = args[0] === callback ? undefined : args[0]
    const input =
      messages.takesObject(event) && !hasData(given) ? { event, data: given } : inputOf(event, given)
    const message = messages.understand(input, callback !== undefined)
    this.#lastQuestion++
    this.#questions.set(this.#lastQuestion, {
      id: message.id,
      callback,
      isList: 'events' in input,
      length: 'parts' in message ? message.parts.length : 1,
      answers: [],
    })
    return { ...message, id: this.#lastQuestion }
  }

  write(texts: EncodedMessages): void {
    for (const packet of texts.packets) this.#send(packet)
  }

  answer(answer: Answer): void {
    const question = this.#questions.get(answer.id)
    const told = question === undefined ? answer : { ...answer, id: question.id }
    if (question?.callback === undefined) this.#send(packetOf(JSON.stringify(told)))
    if (question === undefined) return
    question.answers.push(told)
    if (question.answers.length < question.length) return
    this.#questions.delete(answer.id)
    question.callback?.(question.isList ? question.answers : told)
  }

  /** Runs the work; Socket.IO gathers packets by itself. */
  writeTogether(work: () => void): void {
    work()
  }

  onDrain(listener: () => void): void {
    this.#drained = listener
  }

  /** Does nothing: Socket.IO pings by itself. */
  ping(): void {}

  close(code: number, reason: string): void {
    if (!this.isOpen) return
    this.#isClosing = true
    const webSocket = this.#webSocket
    if (webSocket === undefined) this.#session.close(true)
    else webSocket.close(code, reason)
  }

  expel(code: number, reason: string): void {
    this.close(code, reason)
    this.#webSocket?.pause()
    setTimeout(() => this.terminate(), CLOSE_TIMEOUT_MS).unref()
  }

  terminate(): void {
    this.#isClosing = true
    this.#webSocket?.terminate()
    this.#session.close(true)
  }

  get #webSocket(): WebSocket | undefined {
    // Only a transport that is a WebSocket has one; its types hide it.
    return (this.#session.transport as unknown as { readonly socket?: WebSocket }).socket
  }

  #send(packet: string): void {
    if (this.isOpen) this.#session.write(packet, UNCOMPRESSED)
  }

  /** Counts Socket.IO's own answers too, which pile up for a client that never polls. */
  #noteWaiting(data: unknown): void {
    if (typeof data === 'string') this.#waitingBytes += Buffer.byteLength(data)
    if (this.#waitingBytes > UNSENT_BYTES_MAX) this.terminate()
  }

  /** Handles sent data, or a change of transport. */
  readonly #look = (): void => {
    if (!this.#isBehind || this.unsentBytes > CONGESTED_BYTES) return
    this.#isBehind = false
    this.#drained()
  }
}

function inputOf(event: unknown, given: unknown): object {
  if (Array.isArray(given)) return { method: event, events: given }
  if (typeof given !== 'object' || given === null) return { event, data: given }
  return 'events' in given ? { ...given, method: event } : { ...given, event }
}

function hasData(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'data' in given
}
