import { LIMITS } from '../limits.js'
import { REFUSED } from '../refusal-texts.js'
import { kindOf, shown } from '../wrong-value.js'
import type { ConnectionMessage } from './connection-message.js'
import { CONNECTION_VERBS, readConnectionMessage } from './connection-message.js'
import type { Misunderstanding } from './misunderstanding.js'

export type SubscriptionVerb =
  | 'subscribe_orderbook'
  | 'unsubscribe_orderbook'
  | 'subscribe_user'
  | 'unsubscribe_user'

/** A client's request. */
export type ClientMessage = SubscriptionMessage | ConnectionMessage

/** A request about channels: one verb for one or more event codes or user ids. */
export interface SubscriptionMessage {
  readonly verb: SubscriptionVerb
  /** Without repeats. */
  readonly names: readonly string[]
  readonly id: string | number | undefined
  readonly fromSeq: number | undefined
}

const VERBS: readonly unknown[] = [
  'subscribe_orderbook',
  'unsubscribe_orderbook',
  'subscribe_user',
  'unsubscribe_user',
] satisfies SubscriptionVerb[]
/** A list of events or users goes with the verbs of channels alone. */
const VERBS_OF: Readonly<Record<string, readonly unknown[]>> = {
  method: VERBS,
  event: [...VERBS, ...CONNECTION_VERBS],
}
const USER_VERBS: readonly unknown[] = ['subscribe_user', 'unsubscribe_user'] satisfies SubscriptionVerb[]
/** Long enough to recognise a wrong verb. */
const SHOWN_LENGTH_MAX = 100

/**
 * Reads a client's message in any of its three notations (specification 12): `{"event": verb, "data": code}`,
 * `{"method": verb, "events": [code, …]}`, `[verb, code]`.
 */
export function readClientMessage(text: string): ClientMessage | Misunderstanding {
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch {
    return { id: undefined, code: 400, message: REFUSED.malformedJson, reason: 'malformed_json' }
  }
  return understandClientMessage(input)
}

/** Reads a message that has already been parsed. */
export function understandClientMessage(input: unknown): ClientMessage | Misunderstanding {
  if (Array.isArray(input)) return understand({}, 'event', input[0], 'data', [input[1]])
  if (typeof input !== 'object' || input === null) {
    return {
      id: undefined,
      code: 422,
      message: `message: Expected object or array, received ${kindOf(input)}`,
    }
  }
  const message = input as Record<string, unknown>
  if ('method' in message) return understand(message, 'method', message.method, 'events', message.events)
  return understand(message, 'event', message.event, 'data', [message.data])
}

function understand(
  { id: givenId, from_seq: fromSeq }: Record<string, unknown>,
  verbField: string,
  verb: unknown,
  namesField: string,
  names: unknown,
): ClientMessage | Misunderstanding {
  const id = readId(givenId)
  const refuse = (message: string) => ({ id, code: 422 as const, message })
  if (verb === undefined) return refuse(`${verbField}: Required`)
  const verbs = VERBS_OF[verbField] ?? VERBS
  if (!verbs.includes(verb)) {
    const expected = verbs.map(name => `'${name}'`).join(' | ')
    const received = shown(verb).slice(0, SHOWN_LENGTH_MAX)
    return refuse(`${verbField}: Invalid enum value. Expected ${expected}, received '${received}'`)
  }
  const connectionVerb = CONNECTION_VERBS.find(name => name === verb)
  if (connectionVerb !== undefined) return readConnectionMessage(connectionVerb, (names as unknown[])[0], id)
  const isForUsers = USER_VERBS.includes(verb)
  if (names === undefined) return refuse(`${namesField}: Required`)
  if (!Array.isArray(names)) return refuse(`${namesField}: Expected array, received ${kindOf(names)}`)
  if (names.length === 0 || names.length > LIMITS.channelNamesMax) {
    const what = isForUsers ? 'user ids' : 'event codes'
    return refuse(`${namesField}: Expected 1 to ${LIMITS.channelNamesMax} ${what}`)
  }
  for (const name of names) {
    if (name === undefined) return refuse(`${namesField}: Required`)
    if (typeof name !== 'string' && typeof name !== 'number') {
      return refuse(`${namesField}: Expected string, received ${kindOf(name)}`)
    }
    const { length } = String(name)
    if (isForUsers && (length < 1 || length > LIMITS.userIdLengthMax)) {
      return refuse(`${namesField}: Expected 1 to ${LIMITS.userIdLengthMax} characters`)
    }
  }
  if (fromSeq !== undefined && !(Number.isSafeInteger(fromSeq) && (fromSeq as number) >= 0)) {
    return refuse('from_seq: Expected a whole number, the last seq you have')
  }
  return {
    verb: verb as SubscriptionVerb,
    names: [...new Set(names.map(String))],
    id,
    fromSeq: fromSeq as number | undefined,
  }
}

function readId(id: unknown): string | number | undefined {
  // 1e999 parses as infinity, which JSON would echo as null.
  if (typeof id === 'number' && Number.isFinite(id)) return id
  return typeof id === 'string' && id.length <= LIMITS.requestIdLengthMax ? id : undefined
}
