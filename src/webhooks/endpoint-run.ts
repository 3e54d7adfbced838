import { retryAfter, waitAfter } from './attempts.js'
import type { Attempt, Delivery } from './sending.js'
import { signedHeaders } from './webhook-secret.js'

const GONE = 410

/** A message's place in the journal: the batch, and its number among the messages of the batch. */
export interface Cursor {
  readonly sequence: number
  readonly index: number
}

/** Something committed that a receiver is told. */
export interface Message extends Cursor {
  readonly body: string
}

/** An endpoint as it is stored: a table, not truth. */
export interface EndpointState {
  readonly url: string
  /** The current secret, and the one before while they change. */
  readonly secrets: readonly string[]
  /** The last message that was received. */
  readonly cursor: Cursor
  /** Failed attempts of the next one. */
  readonly failures: number
  /** The earliest time of its next attempt. */
  readonly dueAt: number
  /** Why nothing is sent; undefined while it is on. */
  readonly disabled: 'gone' | 'failing' | 'operator' | undefined
}

/** An attempt as operators see it. */
export interface DeliveryRecord extends Cursor {
  readonly at: number
  readonly attempt: Attempt
}

/** What an endpoint runs with. */
export interface EndpointParts {
  readonly read: () => EndpointState
  /** Commits the state and the attempt together. */
  readonly write: (state: EndpointState, record: DeliveryRecord) => void
  /** Returns the first message behind a cursor that this endpoint is told. */
  readonly next: (after: Cursor) => Message | undefined
  readonly send: (delivery: Delivery) => Promise<Attempt>
  readonly now: () => number
  readonly random: () => number
}

/**
 * One endpoint: sends messages in the order of the journal, one at a time. The cursor moves after the receiver has
 * answered, so that a crash in between repeats a message under the same id and skips none.
 */
export class EndpointRun {
  readonly #parts: EndpointParts
  #isSending = false

  constructor(parts: EndpointParts) {
    this.#parts = parts
  }

  /** Makes the next attempt if one is due. Resolves to false if there was none. */
  async step(): Promise<boolean> {
    const { read, next, now } = this.#parts
    const { disabled, cursor, dueAt } = read()
    if (this.#isSending || disabled !== undefined || dueAt > now()) return false
    const message = next(cursor)
    if (message === undefined) return false
    this.#isSending = true
    try {
      await this.#attempt(message)
    } finally {
      this.#isSending = false
    }
    return true
  }

  async #attempt(message: Message): Promise<void> {
    const { read, write, send, now } = this.#parts
    const { url, secrets, cursor } = read()
    const { sequence, index, body } = message
    const id = `evt_${sequence}_${index}`
    const headers = signedHeaders({ id, timestamp: Math.floor(now() / 1000), body }, secrets)
    const attempt = await send({ url, headers, body })
    const at = now()
    // An operator may have changed the endpoint meanwhile. One that was replayed keeps its new cursor.
    const state = read()
    const isSame = state.cursor.sequence === cursor.sequence && state.cursor.index === cursor.index
    const after = isSame ? this.#after(state, attempt, { sequence, index }, at) : state
    write(after, { sequence, index, at, attempt })
  }

  #after(state: EndpointState, attempt: Attempt, reached: Cursor, at: number): EndpointState {
    const status = 'fault' in attempt ? 0 : attempt.status
    if (status >= 200 && status < 300) return { ...state, cursor: reached, failures: 0, dueAt: 0 }
    const failures = state.failures + 1
    if (status === GONE) return { ...state, failures, disabled: 'gone' }
    const asked = 'fault' in attempt ? undefined : retryAfter(attempt.retryAfter, at)
    const wait = waitAfter(failures, this.#parts.random(), asked)
    if (wait === undefined) return { ...state, failures, disabled: state.disabled ?? 'failing' }
    return { ...state, failures, dueAt: at + wait }
  }
}
