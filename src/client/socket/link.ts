import type { Backoff } from '../backoff.js'
import { pauseMs } from '../backoff.js'
import type { Credential } from '../credential.js'
import type { SocketLike, Surroundings } from '../platform.js'
import { RaayError } from '../raay-error.js'
import { Asking } from './asking.js'
import { Greeting } from './greeting.js'
import type { Channel } from './server-message.js'
import { isNumbered, readMessage } from './server-message.js'

/** Reliability of the data shown: up to date, about to be, or unknown for lack of a connection. */
export type Connection = 'live' | 'catching_up' | 'offline'

export interface LinkOptions {
  readonly url: string
  /** Longest silence of a healthy connection: heartbeats arrive every 20 seconds. */
  readonly silenceMs: number
  /** Time limit for opening a connection, and for answering a subscription. */
  readonly answerMs: number
  readonly backoff: Backoff
  readonly credential: Credential | undefined
}

interface Subscription {
  readonly channel: Channel
  /** True to begin with a snapshot, whatever is already here. */
  isAnew: boolean
  /** Gaps found since the last message that fitted. */
  holes: number
  /** Sequence number of the channel at the last heartbeat. */
  beatSeq: number | undefined
}

/** Gaps repaired on the same connection: first by `from_seq`, then by a snapshot. */
const HOLES_MAX = 2

/**
 * Carries all watched channels over one socket. Opens it for the first channel, reopens it when it breaks or
 * falls silent, and resubscribes each channel from where it left off.
 */
export class Link {
  readonly #options: LinkOptions
  readonly #around: Surroundings
  readonly #tell: (connection: Connection) => void
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #asking: Asking<Subscription>
  readonly #greeting: Greeting
  #socket: SocketLike | undefined
  /** True once the connection has been opened and, with a token, authenticated. */
  #isOpen = false
  #connection: Connection = 'offline'
  #failures = 0
  #cancelRetry = () => {}
  #cancelSilence = () => {}
  #cancelAnswers = () => {}

  /** @param tell called on each change of the connection's state */
  constructor(options: LinkOptions, around: Surroundings, tell: (connection: Connection) => void) {
    this.#options = options
    this.#around = around
    this.#tell = tell
    this.#asking = new Asking({
      ask: (subscription, id) => this.#ask(subscription, id),
      setTimer: (run, ms) => around.setTimer(run, ms),
    })
    this.#greeting = new Greeting({
      credential: options.credential,
      send: message => this.#send(message),
      done: () => this.#ready(),
      drop: () => this.#drop(),
      fail: error => this.#fail(error),
    })
  }

  get connection(): Connection {
    return this.#connection
  }

  /** Adds a channel. Throws RaayError if there is no WebSocket implementation. */
  add(channel: Channel): void {
    if (this.#around.WebSocket === undefined) {
      const advice = "give one: new RaayClient({ WebSocket }), from the package 'ws' in Node 20"
      throw new RaayError(501, 'Not Implemented', `There is no WebSocket here; ${advice}`)
    }
    const subscription = { channel, isAnew: false, holes: 0, beatSeq: undefined }
    this.#subscriptions.set(channel.address, subscription)
    if (this.#isOpen) this.#subscribe(subscription)
    else if (this.#socket === undefined && this.#subscriptions.size === 1) this.#open()
    this.review()
  }

  remove(channel: Channel): void {
    const subscription = this.#subscriptions.get(channel.address)
    if (subscription?.channel !== channel) return
    this.#subscriptions.delete(channel.address)
    this.#asking.forget(subscription)
    channel.cut()
    if (this.#subscriptions.size === 0) this.#hangUp()
    else if (this.#isOpen) this.#send({ event: `unsubscribe_${channel.topic}`, data: channel.key })
    this.review()
  }

  /** Reports the connection's state if it has changed; channels call this when theirs may have. */
  review(): void {
    const isLive = [...this.#subscriptions.values()].every(({ channel }) => channel.isLive)
    const connection = !this.#isOpen ? 'offline' : isLive ? 'live' : 'catching_up'
    if (connection === this.#connection) return
    this.#connection = connection
    this.#tell(connection)
  }

  #open(): void {
    const { WebSocket } = this.#around
    if (WebSocket === undefined) return
    const socket = new WebSocket(this.#options.url)
    this.#socket = socket
    socket.onopen = () => this.#opened()
    socket.onmessage = ({ data }) => this.#receive(String(data))
    socket.onclose = (event: unknown) =>
      void this.#greeting.closed((event as { readonly code?: number } | undefined)?.code)
    // An error is always followed by the close.
    socket.onerror = () => {}
    this.#expectAnswers()
  }

  #opened(): void {
    this.#expectAnswers()
    this.#expectSound()
    this.#greeting.begin()
  }

  #ready(): void {
    this.#isOpen = true
    this.#cancelAnswers()
    for (const subscription of this.#subscriptions.values()) this.#subscribe(subscription)
    this.review()
  }

  #subscribe(subscription: Subscription, isAnew = false): void {
    if (!this.#isOpen) return
    subscription.isAnew = isAnew
    this.#asking.want(subscription)
  }

  #ask({ channel, isAnew }: Subscription, id: number): void {
    const { topic, key, seq } = channel
    this.#expectAnswers()
    this.#send({ event: `subscribe_${topic}`, data: key, from_seq: isAnew ? undefined : seq, id })
  }

  #receive(text: string): void {
    this.#expectSound()
    const message = readMessage(text)
    if (message === undefined) {
      // A peer that sends this is not Raay, or no longer.
      this.#drop()
      return
    }
    if (!this.#isOpen) {
      this.#greeting.take(message)
      return
    }
    const { event, id, data, reason, retry_after_ms: waitMs } = message
    if (event === 'subscribed') this.#answered(id)
    else if (event === 'error' && typeof waitMs === 'number') this.#putOff(id, waitMs)
    else if (event === 'error') this.#refused(id, data ?? {}, reason)
    else if (event === 'heartbeat') this.#compare(data ?? {})
    else this.#take(event, data)
  }

  #answered(id: unknown): void {
    const subscription = this.#askedWith(id)
    if (subscription === undefined) return
    this.#failures = 0
    this.#greeting.confirm()
    subscription.channel.subscribed()
    this.review()
  }

  /** Postpones a subscription that was refused for now. */
  #putOff(id: unknown, waitMs: number): void {
    this.#asking.putOff(id, waitMs)
    if (this.#asking.isAnswered) this.#cancelAnswers()
  }

  #refused(id: unknown, data: unknown, reason: unknown): void {
    const subscription = this.#askedWith(id)
    if (subscription === undefined) return
    const { code = 500, name = 'Error', message = '' } = data as Partial<RaayError>
    if (code >= 500) {
      this.#drop()
      return
    }
    this.remove(subscription.channel)
    const why = typeof reason === 'string' ? reason : undefined
    subscription.channel.fail(new RaayError(code, name, message, { reason: why }))
  }

  #askedWith(id: unknown): Subscription | undefined {
    const found = this.#asking.answered(id)
    if (this.#asking.isAnswered) this.#cancelAnswers()
    return found
  }

  #take(address: string, data: unknown): void {
    const subscription = this.#subscriptions.get(address)
    if (subscription === undefined) return
    const { channel } = subscription
    if (!isNumbered(data)) {
      this.#drop()
      return
    }
    const wasLive = channel.isLive
    if (channel.take(data)) subscription.holes = 0
    else this.#mend(subscription)
    if (channel.isLive !== wasLive) this.review()
  }

  /** Compares each idle channel with the position that the exchange reports for it. */
  #compare(data: unknown): void {
    const { seqs = {}, user_seq = {} } = data as Readonly<Record<string, Readonly<Record<string, number>>>>
    for (const subscription of this.#subscriptions.values()) {
      const { channel, beatSeq } = subscription
      const told = (channel.topic === 'user' ? user_seq : seqs)[channel.key]
      const isBehind = told === undefined || channel.seq === undefined || told > channel.seq
      const isStill = channel.isLive || channel.seq === beatSeq
      subscription.beatSeq = channel.seq
      if (!this.#asking.has(subscription) && isBehind && isStill) this.#mend(subscription)
    }
    this.review()
  }

  #mend(subscription: Subscription): void {
    if (this.#asking.has(subscription)) return
    subscription.holes++
    const { channel, holes } = subscription
    channel.cut()
    if (holes > HOLES_MAX) this.#drop()
    // Books and prices may start over; a user's messages are stored, and are sent again.
    else this.#subscribe(subscription, holes === HOLES_MAX && channel.topic !== 'user')
  }

  /** Ends all channels because the exchange accepts no token of the client. */
  #fail(error: RaayError): void {
    const channels = [...this.#subscriptions.values()].map(({ channel }) => channel)
    // All before any listener hears of it: one that watches again begins with a new connection.
    for (const channel of channels) this.remove(channel)
    for (const channel of channels) channel.fail(error)
  }

  /** Drops an unusable connection and opens another a little later. */
  #drop(): void {
    this.#hangUp()
    this.#failures++
    const { backoff } = this.#options
    this.#cancelRetry = this.#around.setTimer(
      () => this.#open(),
      pauseMs(backoff, this.#failures, this.#around.random),
    )
    this.review()
  }

  #hangUp(): void {
    this.#cancelRetry()
    this.#cancelSilence()
    this.#cancelAnswers()
    this.#asking.clear()
    const socket = this.#socket
    this.#socket = undefined
    this.#isOpen = false
    for (const subscription of this.#subscriptions.values()) {
      subscription.holes = 0
      subscription.channel.cut()
    }
    if (socket === undefined) return
    socket.onopen = null
    socket.onmessage = null
    socket.onclose = null
    // A vanished peer would not answer a closing handshake.
    if (socket.terminate !== undefined) socket.terminate()
    else socket.close()
  }

  #expectSound(): void {
    this.#cancelSilence()
    this.#cancelSilence = this.#around.setTimer(() => this.#drop(), this.#options.silenceMs)
  }

  #expectAnswers(): void {
    this.#cancelAnswers()
    this.#cancelAnswers = this.#around.setTimer(() => this.#drop(), this.#options.answerMs)
  }

  #send(message: unknown): void {
    this.#socket?.send(JSON.stringify(message))
  }
}
