import { nearestOf } from '../did-you-mean.js'
import { LIMITS } from '../limits.js'
import { REFUSED } from '../refusal-texts.js'
import { kindOf, shown } from '../wrong-value.js'
import type { Message } from './message.js'
import type { NamesData } from './message-data.js'
import { Fault, listIn, objectIn } from './message-data.js'
import type { AnyMessage } from './messages.js'
import { MESSAGES } from './messages.js'
import type { OrderMessage } from './order-message.js'
import type { ErrorCode } from '../errors.js'
import type { DoorReason } from '../reasons.js'

type Id = string | number | undefined

/** A client's request about orders, as it was read. */
export interface OrderAsked {
  readonly order: OrderMessage
  readonly data: object
  readonly id: Id
}

/** A client's request about the connection or its channels, as it was read. */
export interface ClientMessage {
  readonly message: Message
  /** The data of each part of it that is handled on its own: its names without repeats, or its one object. */
  readonly parts: readonly unknown[]
  readonly id: Id
  readonly fromSeq: number | undefined
}

/** A message of a client, as far as it can be understood. */
export type ReadMessage = ClientMessage | OrderAsked | Misunderstanding

const ID_MISSING = `id: Expected a number, or a text of at most ${LIMITS.requestIdLengthMax} characters`

/** Long enough to recognise a wrong verb. */
const SHOWN_LENGTH_MAX = 60

/** The messages that clients may send, by verb. */
export class MessageReader {
  readonly #byVerb: ReadonlyMap<unknown, AnyMessage>
  readonly #verbs: readonly string[]
  /** A list of events or users goes with the verbs of channels alone. */
  readonly #listVerbs: readonly string[]
  readonly #orderVerbs: RegExp

  constructor(messages: readonly AnyMessage[] = MESSAGES) {
    this.#byVerb = new Map(messages.map(message => [message.verb, message]))
    this.#verbs = messages.map(({ verb }) => verb)
    this.#listVerbs = messages.filter(({ data }) => data.kind === 'names').map(({ verb }) => verb)
    const orders = messages.filter(({ data }) => data.kind === 'body').map(({ verb }) => verb)
    this.#orderVerbs = new RegExp(`"(?:${orders.join('|')})"`)
  }

  /**
   * Reads a client's message in any of its three notations (specification 12):
   * `{"event": verb, "data": code}`, `{"method": verb, "events": [code, …]}`, `[verb, code]`.
   */
  read(text: string): ReadMessage {
    let input: unknown
    try {
      input = JSON.parse(text)
    } catch {
      return { id: undefined, code: 400, message: REFUSED.malformedJson, reason: 'malformed_json' }
    }
    return this.understand(input)
  }

  /** Tells, before a text is parsed, whether it may be a message about orders; odd escapes hide one. */
  mayBeOrder(text: string): boolean {
    return this.#orderVerbs.test(text)
  }

  /**
   * Reads a message that has already been parsed.
   *
   * @param isAcknowledged true if the sender knows its answer without an id
   */
  understand(input: unknown, isAcknowledged = false): ReadMessage {
    if (Array.isArray(input)) {
      return this.#understand({ event: input[0], data: input[1] }, undefined, isAcknowledged)
    }
    if (typeof input === 'object' && input !== null) {
      const fields = input as Record<string, unknown>
      return this.#understand(fields, readId(fields.id), isAcknowledged)
    }
    return refused(undefined, `message: Expected object or array, received ${kindOf(input)}`)
  }

  /** Returns true if the data of this verb is an object. */
  takesObject(verb: unknown): boolean {
    const kind = this.#byVerb.get(verb)?.data.kind
    return kind === 'object' || kind === 'body'
  }

  #understand(fields: Record<string, unknown>, id: Id, isAcknowledged: boolean): ReadMessage {
    const isList = 'method' in fields
    const verbField = isList ? 'method' : 'event'
    const verb = fields[verbField]
    if (verb === undefined) return refused(id, `${verbField}: Required`)
    const message = this.#byVerb.get(verb)
    if (message === undefined || (isList && message.data.kind !== 'names')) {
      return refused(id, `${verbField}: ${this.#unknown(verb, isList)}`)
    }
    if (isOrderMessage(message)) return orderAsked(message, fields.data, id, isAcknowledged)
    const { data } = message
    if (data.kind === 'object') {
      const values = objectIn(data, fields.data, 'data')
      if (values instanceof Fault) return refused(id, values.text)
      return { message, parts: [values], id, fromSeq: undefined }
    }
    const parts = namesIn(data, isList ? fields.events : [fields.data], isList ? 'events' : 'data')
    if (parts instanceof Fault) return refused(id, parts.text)
    const { from_seq: fromSeq } = fields
    if (fromSeq !== undefined && !(Number.isSafeInteger(fromSeq) && (fromSeq as number) >= 0)) {
      return refused(id, 'from_seq: Expected a whole number, the last seq you have')
    }
    return { message, parts, id, fromSeq: fromSeq as number | undefined }
  }

  #unknown(verb: unknown, isList: boolean): string {
    const verbs = isList ? this.#listVerbs : this.#verbs
    const expected = verbs.map(name => `'${name}'`).join(' | ')
    const received = shown(verb).slice(0, SHOWN_LENGTH_MAX)
    const nearest = typeof verb === 'string' ? nearestOf(received, verbs) : undefined
    const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`
    return `Invalid enum value. Expected ${expected}, received '${received}'${meant}`
  }
}

function isOrderMessage(message: AnyMessage): message is OrderMessage {
  return message.data.kind === 'body'
}

function orderAsked(order: OrderMessage, data: unknown, id: Id, isAcknowledged: boolean): ReadMessage {
  if (id === undefined && !isAcknowledged) return refused(id, ID_MISSING)
  if (data === undefined) return refused(id, 'data: Required')
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    return refused(id, `data: Expected object, received ${kindOf(data)}`)
  }
  return { order, data, id }
}

function namesIn({ what, item }: NamesData, given: unknown, path: string): readonly string[] | Fault {
  if (given === undefined) return new Fault(`${path}: Required`)
  if (!Array.isArray(given)) return new Fault(`${path}: Expected array, received ${kindOf(given)}`)
  if (given.length === 0 || given.length > LIMITS.channelNamesMax) {
    return new Fault(`${path}: Expected 1 to ${LIMITS.channelNamesMax} ${what}`)
  }
  return listIn(given, item, path)
}

function readId(id: unknown): Id {
  // 1e999 parses as infinity, which JSON would echo as null.
  if (typeof id === 'number' && Number.isFinite(id)) return id
  return typeof id === 'string' && id.length <= LIMITS.requestIdLengthMax ? id : undefined
}

function refused(id: Id, message: string): Misunderstanding {
  return { id, code: 422, message }
}

/** Reason for which a message cannot be understood. */
export interface Misunderstanding {
  readonly id: string | number | undefined
  readonly code: ErrorCode
  readonly message: string
  /** Defaults to the reason of the code. */
  readonly reason?: DoorReason
}
