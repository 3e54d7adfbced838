import { closedError, RaayError } from './raay-error.js'

/** Called for each update, at once and in order; `onError` once, after the last of them. */
export interface Listener<Update> {
  onUpdate(update: Update): void
  onError(error: RaayError): void
}

/** Largest backlog of a program that iterates over every update. */
const WAITING_MAX = 100_000

interface WatchOptions<Update, State> {
  /** Updates kept for a slow iteration: each, or only the latest. A listener receives each in any case. */
  readonly keeps: 'each' | 'latest'
  readonly listener: Listener<Update> | undefined
  /** Returns the current state. */
  readonly state: () => State | undefined
  readonly onClose: () => void
}

type Step<Update> = IteratorResult<Update, undefined>

interface Waiting<Value> {
  resolve(value: Value): void
  reject(error: RaayError): void
}

/**
 * A subscription to iterate over (`for await`) or to listen to. Leaving the loop or `close()` ends it. The
 * client stays connected, and catches up on its own, while any watch is open.
 */
export class Watch<Update, State = Update> implements AsyncIterableIterator<Update, undefined> {
  readonly #options: WatchOptions<Update, State>
  #waiting: Update[] = []
  /** Number of updates read: removing the first of many from an array is slow. */
  #readCount = 0
  #readers: Waiting<Step<Update>>[] = []
  #beginners: Waiting<void>[] = []
  #isReady = false
  #isClosed = false
  #error: RaayError | undefined

  constructor(options: WatchOptions<Update, State>) {
    this.#options = options
  }

  /** Latest known state; undefined before the first message of the exchange. */
  get state(): State | undefined {
    return this.#options.state()
  }

  /**
   * Resolves once the watch is live: `state` is known, and every later change is delivered. Rejects if that
   * can never happen.
   */
  ready(): Promise<void> {
    if (this.#isReady) return Promise.resolve()
    if (this.#isClosed) return Promise.reject(this.#error ?? closedError('the watch'))
    return new Promise((resolve, reject) => this.#beginners.push({ resolve, reject }))
  }

  /** Marks the watch as live. For the client only. */
  begin(): void {
    this.#isReady = true
    for (const { resolve } of this.#beginners.splice(0)) resolve()
  }

  /** Delivers an update. For the client only. */
  tell(update: Update): void {
    if (this.#isClosed) return
    const { listener, keeps } = this.#options
    if (listener !== undefined) {
      callSafely(() => listener.onUpdate(update))
      return
    }
    const reader = this.#readers.shift()
    if (reader !== undefined) {
      reader.resolve({ done: false, value: update })
      return
    }
    if (keeps === 'latest') this.#forget()
    this.#waiting.push(update)
    if (this.#waiting.length - this.#readCount > WAITING_MAX) {
      const advice = 'read faster, or watch with a listener'
      this.fail(new RaayError(429, 'Too Slow', `${WAITING_MAX} updates were not read: ${advice}`))
    }
  }

  /** Ends the watch with an error; updates delivered before it can still be read. For the client only. */
  fail(error: RaayError): void {
    if (this.#isClosed) return
    for (const { reject } of this.#beginners.splice(0)) reject(error)
    const readers = this.#end()
    if (readers.length === 0) this.#error = error
    for (const { reject } of readers) reject(error)
    const { listener } = this.#options
    if (listener !== undefined) callSafely(() => listener.onError(error))
  }

  close(): void {
    this.#forget()
    this.#error = undefined
    if (this.#isClosed) return
    for (const { reject } of this.#beginners.splice(0)) reject(closedError('the watch'))
    for (const { resolve } of this.#end()) resolve({ done: true, value: undefined })
  }

  async next(): Promise<Step<Update>> {
    if (this.#readCount < this.#waiting.length) {
      const value = this.#waiting[this.#readCount++] as Update
      if (this.#readCount * 2 >= this.#waiting.length) {
        this.#waiting = this.#waiting.slice(this.#readCount)
        this.#readCount = 0
      }
      return { done: false, value }
    }
    const error = this.#error
    this.#error = undefined
    if (error !== undefined) throw error
    if (this.#isClosed) return { done: true, value: undefined }
    return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }))
  }

  async return(): Promise<Step<Update>> {
    this.close()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #forget(): void {
    this.#waiting = []
    this.#readCount = 0
  }

  /** Ends the watch; returns the callers that still wait for an update. */
  #end(): readonly Waiting<Step<Update>>[] {
    const readers = this.#readers
    this.#readers = []
    this.#isClosed = true
    this.#options.onClose()
    return readers
  }
}

/**
 * Calls a listener so that an error in it harms nobody else; the error surfaces as an unhandled rejection.
 */
export function callSafely(call: () => void): void {
  try {
    call()
  } catch (error) {
    void Promise.reject(error)
  }
}
