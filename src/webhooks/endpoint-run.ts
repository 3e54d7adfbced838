import { isEarly, retryAfter, waitAfter } from './attempts.js'
import type { Attempt, Delivery } from './sending.js'
import { signedHeaders } from './webhook-secret.js'

const GONE = 410

/** A message's place in the journal: the batch, and its number among the messages of the batch. */
export interface Cursor {
  readonly sequence: number
  readonly index: number
}

/** Something committed that a receiver gets. */
export interface Message extends Cursor {
  readonly kind: string
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
export interface DeliveryRecord {
  /** The id of the message. */
  readonly message: string
  readonly kind: string
  readonly at: number
  readonly ms: number
  readonly attempt: Attempt
}

/** The state, the messages and the means of an endpoint. */
export interface EndpointParts {
  /** Returns undefined once the endpoint is deleted, or while it cannot be read. */
  readonly read: () => EndpointState | undefined
  /** Commits the state and the attempt together. */
  readonly write: (state: EndpointState, record: DeliveryRecord) => void
  /** Returns the first message behind a cursor that this endpoint gets. */
  readonly next: (after: Cursor) => Promise<Message | undefined>
  readonly send: (delivery: Delivery) => Promise<Attempt>
  readonly now: () => number
  readonly random: () => number
}

/**
 * One endpoint: sends messages in the order of the journal, one at a time. The cursor moves after the
 * receiver has answered, so that a crash in between repeats a message under the same id and skips none.
 */
export class EndpointRun {
  readonly #parts: EndpointParts
  #isSending = false

  constructor(parts: EndpointParts) {
    this.#parts = parts
  }

  /** Makes the next attempt if one is due. Resolves to false if there was none. */
  async step(): Promise<boolean> {
    if (this.#isSending) return false
    this.#isSending = true
    try {
      const { read, next, now } = this.#parts
      const before = read()
      if (before === undefined || before.disabled !== undefined) return false
      if (isEarly(before.dueAt - now())) return false
      const message = await next(before.cursor)
      // An operator may have changed the endpoint meanwhile.
      const state = read()
      if (message === undefined || state === undefined || state.disabled !== undefined) return false
      if (isSame(state.cursor, before.cursor)) await this.#attempt(message, state)
      return true
    } finally {
      this.#isSending = false
    }
  }

  async #attempt(message: Message, { url, secrets, cursor }: EndpointState): Promise<void> {
    const { read, write, send, now } = this.#parts
    const { sequence, index, kind, body } = message
    const id = messageId(message)
    const begun = now()
    const headers = signedHeaders({ id, timestamp: Math.floor(begun / 1000), body }, secrets)
    const attempt = await send({ url, headers, body })
    const at = now()
    const state = read()
    if (state === undefined) return
    // One that was replayed meanwhile keeps its new cursor.
    const isStill = isSame(state.cursor, cursor)
    const after = isStill ? this.#after(state, attempt, { sequence, index }, at) : state
    write(after, { message: id, kind, at, ms: at - begun, attempt })
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

/** Returns the id of a message: the same at each attempt. */
export function messageId({ sequence, index }: Cursor): string {
  return `evt_${sequence}_${index}`
}

function isSame(a: Cursor, b: Cursor): boolean {
  return a.sequence === b.sequence && a.index === b.index
}
