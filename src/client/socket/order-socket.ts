import { pauseMs } from '../backoff.js'
import type { SocketLike, Surroundings } from '../platform.js'
import { RaayError } from '../raay-error.js'
import type { Rest } from '../rest.js'
import { Greeting } from './greeting.js'
import type { LinkOptions } from './link.js'
import { readMessage } from './server-message.js'

/** The answer to a message; `unsent` if there was no connection, `lost` if it ended before the answer. */
type SocketAnswer = { readonly additional: unknown } | { readonly error: RaayError } | 'unsent' | 'lost'

/** A message to send on each connection before it is used. */
interface Opening {
  readonly event: string
  readonly data: unknown
}

const OPENING = 'opening'

/**
 * A connection for orders. It opens with the first message, and again with the next one after a pause when it
 * has ended; what is sent meanwhile is unsent, so that nothing waits for it.
 */
export class OrderSocket {
  readonly #options: LinkOptions
  readonly #around: Surroundings
  readonly #rest: Pick<Rest, 'wrote'>
  readonly #greeting: Greeting
  /** The messages that are not answered yet. */
  readonly #asked = new Map<unknown, (answer: SocketAnswer) => void>()
  #socket: SocketLike | undefined
  #opening: Opening | undefined
  #isReady = false
  #isPaused = false
  #isClosed = false
  #failures = 0
  #lastId = 0
  #cancelPause = () => {}
  #cancelSilence = () => {}

  /** @param rest gets the batches that answers include */
  constructor(options: LinkOptions, rest: Pick<Rest, 'wrote' | 'around'>) {
    this.#options = options
    this.#rest = rest
    this.#around = rest.around
    this.#greeting = new Greeting({
      credential: options.credential,
      send: message => this.#send(message),
      done: () => this.#greeted(),
      drop: () => this.#drop(),
      fail: () => this.#drop(),
    })
  }

  /** True while messages go over the connection. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Sends a message and waits for its answer, for as long as for one over HTTP. */
  ask(event: string, data: unknown): Promise<SocketAnswer> {
    if (!this.#isReady) {
      this.open()
      return Promise.resolve('unsent')
    }
    this.#lastId++
    const id = this.#lastId
    return new Promise(resolve => {
      // A connection that does not answer is of no use to the next message either.
      const cancelTimer = this.#around.setTimer(() => this.#drop(), this.#options.answerMs)
      this.#asked.set(id, answer => {
        cancelTimer()
        resolve(answer)
      })
      this.#send({ event, data, id })
    })
  }

  /** Opens the connection, unless there is one or the last one has just failed. */
  open(): void {
    const { WebSocket } = this.#around
    if (this.#socket !== undefined || this.#isPaused || this.#isClosed || WebSocket === undefined) return
    const socket = new WebSocket(this.#options.url)
    this.#socket = socket
    socket.onopen = () => this.#greeting.begin()
    socket.onmessage = ({ data }) => this.#receive(String(data))
    socket.onclose = (event: unknown) =>
      void this.#greeting.closed((event as { readonly code?: number } | undefined)?.code)
    // An error is always followed by the close.
    socket.onerror = () => {}
    this.#expectSound(this.#options.answerMs)
  }

  /** Sends a message at the start of each connection; begins another one if it is not on this one. */
  openWith(opening: Opening): void {
    this.#opening = opening
    if (this.#isReady) this.#greeted()
    else this.open()
  }

  /** Ends the connection; messages that are not answered are lost. */
  close(): void {
    this.#isClosed = true
    this.#hangUp()
    this.#cancelPause()
  }

  #greeted(): void {
    if (this.#opening === undefined) {
      this.#ready()
      return
    }
    this.#isReady = false
    this.#send({ ...this.#opening, id: OPENING })
  }

  #ready(): void {
    this.#isReady = true
    this.#failures = 0
    this.#greeting.confirm()
  }

  #receive(text: string): void {
    this.#expectSound(this.#options.silenceMs)
    const received = readMessage(text)
    if (received === undefined) {
      this.#drop()
      return
    }
    const { event, id, data, reason, retry_after_ms: waitMs } = received
    if (id === OPENING) {
      if (event === 'error') this.#drop()
      else this.#ready()
      return
    }
    const answered = this.#asked.get(id)
    if (answered === undefined) {
      if (!this.#isReady) this.#greeting.take(received)
      return
    }
    this.#asked.delete(id)
    if (event !== 'error') {
      this.#rest.wrote(received.sequence, received.epoch)
      answered({ additional: (data as { readonly additional?: unknown } | undefined)?.additional })
      return
    }
    const { code = 500, name = 'Error', message = '' } = (data ?? {}) as Partial<RaayError>
    const retryAfterMs = typeof waitMs === 'number' ? waitMs : undefined
    const why = typeof reason === 'string' ? reason : undefined
    answered({ error: new RaayError(code, name, message, { reason: why, retryAfterMs }) })
  }

  /** Drops an unusable connection; the next may be opened a little later. */
  #drop(): void {
    this.#hangUp()
    if (this.#isClosed) return
    this.#failures++
    this.#isPaused = true
    this.#cancelPause()
    const { backoff } = this.#options
    this.#cancelPause = this.#around.setTimer(
      () => {
        this.#isPaused = false
        if (this.#opening !== undefined) this.open()
      },
      pauseMs(backoff, this.#failures, this.#around.random),
    )
  }

  #hangUp(): void {
    this.#cancelSilence()
    const socket = this.#socket
    this.#socket = undefined
    this.#isReady = false
    const asked = [...this.#asked.values()]
    this.#asked.clear()
    for (const answered of asked) answered('lost')
    if (socket === undefined) return
    socket.onopen = null
    socket.onmessage = null
    socket.onclose = null
    // A vanished peer would not answer a closing handshake.
    if (socket.terminate !== undefined) socket.terminate()
    else socket.close()
  }

  #expectSound(ms: number): void {
    this.#cancelSilence()
    this.#cancelSilence = this.#around.setTimer(() => this.#drop(), ms)
  }

  #send(message: unknown): void {
    this.#socket?.send(JSON.stringify(message))
  }
}
