import { z } from 'zod'
import type { ErrorCode } from '../../api/errors.js'
import { errorEnvelope } from '../../api/errors.js'
import { refusalReason } from '../../api/orders/order-reason.js'
import { REFUSAL_REASONS } from '../../api/reasons.js'
import { REASON_HEADER } from '../../api/refusal-headers.js'
import { FULL, hostUnknown, REFUSED } from '../../api/refusal-texts.js'
import { takesMinSequence, WANTED_FAULTS } from '../../api/sequence.js'
import { callerRefusals } from './openapi-callers.js'
import type { Route } from '../../api/route.js'
import { isForStandbys } from '../../api/route.js'
import type { Json, SchemaShelf } from './schema-shelf.js'

const UNKNOWN_MEANING = 'Unknown query parameter, or X-Min-Sequence or X-Epoch is not a number'
const BUSY_MEANING =
  'Overloaded: too many requests or unsent answers; or a standby that is behind or does not take this'

const LIMIT_REACHED = 'The limit of orders is reached, 500 in 10 s for a user: try again in 1 s'

/** Refusals that any request may receive, before it reaches a route or because of a fault. */
const COMMON: Readonly<Record<string, readonly [ErrorCode, string, ...string[]]>> = {
  CrossSite: [403, REFUSAL_REASONS.cross_site[1], REFUSED.crossSite],
  NotHttp: [400, 'Not a valid HTTP request, or no Host header', REFUSED.notHttp],
  WrongMethod: [405, REFUSAL_REASONS.method_not_allowed[1], 'This path does not take PUT: use POST'],
  TooSlow: [408, REFUSED.requestTimeout, REFUSED.requestTimeout],
  TooManyChunks: [411, REFUSAL_REASONS.length_missing[1], REFUSED.lengthMissing],
  NotJson: [415, REFUSAL_REASONS.body_not_json[1], REFUSED.bodyNotJson],
  WrongHost: [421, REFUSAL_REASONS.host_unknown[1], hostUnknown('evil.example')],
  UnknownParameter: [
    422,
    UNKNOWN_MEANING,
    'surprise: Unknown parameter, this route takes none',
    WANTED_FAULTS.sequence,
    WANTED_FAULTS.epoch,
  ],
  BatchLost: [409, REFUSAL_REASONS.sequence_lost[1], REFUSED.sequenceLost],
  HeadersTooLarge: [431, 'The request headers are too large', REFUSED.headersTooLarge],
  TooMany: [429, 'A limit of the user, key or address is reached', LIMIT_REACHED],
  TooBusy: [503, BUSY_MEANING, REFUSED.answersWait, REFUSED.behind, FULL.not_leader],
  Fault: [500, 'Internal error', REFUSED.cannotAnswer],
}

const MEANINGS: Partial<Record<ErrorCode, string>> = {
  400: 'The body cannot be parsed',
  401: REFUSAL_REASONS.token_missing[1],
  403: 'Not allowed to this caller',
  404: 'Not found',
  409: 'Conflicts with the current state',
  413: REFUSAL_REASONS.body_too_large[1],
  422: 'Invalid field; the message names the first: `<field>: <reason>`',
  426: 'WebSocket upgrade required',
  503: 'Overloaded, or a standby: nothing was done; try again',
}

const NO_BODY = {
  400: [REFUSED.malformedJson, REFUSED.bodyIncomplete],
  413: [REFUSED.bodyTooLarge],
}

const READS_BUSY = [FULL.reads_full, FULL.read_late]

const RETRY_AFTER: Json = {
  'Retry-After': {
    description: 'Seconds to wait before trying again',
    required: true,
    schema: { type: 'string' },
  },
}

/** Headers of draft-ietf-httpapi-ratelimit-headers. */
const LIMIT_HEADERS: Json = {
  'RateLimit-Policy': { description: 'The limit, such as "orders";q=500;w=10', schema: { type: 'string' } },
  RateLimit: {
    description: 'Points left and seconds until more: "orders";r=0;t=1',
    schema: { type: 'string' },
  },
}

const HEADERS: Partial<Record<ErrorCode, Json>> = {
  405: {
    Allow: { description: 'The methods of the path', required: true, schema: { type: 'string' } },
  },
  401: { 'WWW-Authenticate': { description: 'Bearer', required: true, schema: { type: 'string' } } },
  429: { ...RETRY_AFTER, ...LIMIT_HEADERS },
  503: RETRY_AFTER,
}

const schemas = new Map<ErrorCode, z.ZodType>()

/** Returns the error envelope of a code, with the name that belongs to it. */
export function refusalSchema(code: ErrorCode): z.ZodType {
  const known = schemas.get(code)
  if (known !== undefined) return known
  const { status, name } = errorEnvelope(code, '')
  const fields = {
    status: z.literal(status),
    code: z.literal(code),
    name: z.literal(name),
    message: z.string(),
  }
  const schema = z.object(fields).meta({ id: `Error${code}` })
  schemas.set(code, schema)
  return schema
}

/** Returns the responses that any operation refers to. */
export function commonRefusals(shelf: SchemaShelf): Json {
  const entries = Object.entries(COMMON).map(([name, [code, description, ...messages]]) => [
    name,
    refusal(shelf, code, messages, description),
  ])
  return Object.fromEntries(entries) as Json
}

/** Returns every refusal of an operation, by code. */
export function refusalsOf(operation: Route, shelf: SchemaShelf): Json {
  const own = withStandbys(operation, {
    ...(operation.body && NO_BODY),
    ...withCallers(operation),
    ...(operation.revokes && { 503: [...(operation.refusals[503] ?? []), REFUSED.notReplicated] }),
    ...(isReadLater(operation) && { 503: [...(operation.refusals[503] ?? []), ...READS_BUSY] }),
  })
  const all = Object.entries(COMMON).filter(([, [code]]) => isPossible(code, operation))
  const common = all.map(([name, [code]]) => [code, { $ref: `#/components/responses/${name}` }])
  const named = Object.entries(own).map(([code, messages]) => [
    code,
    refusal(shelf, Number(code) as ErrorCode, messagesOf(Number(code), messages, operation)),
  ])
  return Object.fromEntries([...common, ...named]) as Json
}

/** Adds the refusals of standbys, and of reads that wait for a batch, to those of an operation. */
function withStandbys(operation: Route, refusals: Route['refusals']): Route['refusals'] {
  const waits = takesMinSequence(operation)
  const more: Route['refusals'] = {
    409: waits ? [REFUSED.sequenceLost] : [],
    422: waits ? Object.values(WANTED_FAULTS) : [],
    503: [...(waits ? [REFUSED.behind] : []), ...(isForStandbys(operation) ? [] : [FULL.not_leader])],
  }
  const added = { ...refusals }
  for (const code of [409, 422, 503] as const) {
    // Otherwise the common ones say it.
    if (added[code] !== undefined) added[code] = [...added[code], ...(more[code] ?? [])]
  }
  return added
}

/** Returns an operation's own refusals, and those of callers who may not call it. */
function withCallers(operation: Route): Route['refusals'] {
  const own: Record<string, readonly string[]> = { ...operation.refusals }
  for (const [code, messages] of Object.entries(callerRefusals(operation))) {
    own[code] = [...new Set([...messages, ...(own[code] ?? [])])]
  }
  return own
}

/** Returns whether an answer may wait for the readers of histories, which refuse while too many wait. */
function isReadLater({ cost, searches, looksUp }: Route): boolean {
  return looksUp === true || searches !== undefined || (typeof cost === 'object' && cost.history === true)
}

/** Returns whether an operation can be refused with one of the common codes. */
function isPossible(code: ErrorCode, operation: Route): boolean {
  const { method, answers, body, takesAnyQuery, isProbe } = operation
  if (code === 403) return method !== 'GET' || answers.some(({ code }) => code === 101)
  if (code === 409) return takesMinSequence(operation)
  if (code === 411 || code === 415) return body !== undefined
  if (code === 421) return isProbe === undefined
  return code !== 422 || takesAnyQuery === undefined
}

/** Adds the common message to those that an operation has of its own for one code. */
function messagesOf(code: number, messages: readonly string[], operation: Route): readonly string[] {
  return code === 403 && isPossible(403, operation) ? [...messages, REFUSED.crossSite] : messages
}

function refusal(
  shelf: SchemaShelf,
  code: ErrorCode,
  messages: readonly string[],
  description = MEANINGS[code] ?? '',
): Json {
  const examples = messages.map(message => [message, { value: errorEnvelope(code, message) }])
  const content = {
    schema: shelf.schemaOf(refusalSchema(code), 'output'),
    examples: Object.fromEntries(examples),
  }
  const reason = {
    description: 'Machine-readable reason',
    required: true,
    schema: shelf.schemaOf(refusalReason, 'output'),
  }
  const headers = { [REASON_HEADER]: reason, ...HEADERS[code] }
  return { description, headers, content: { 'application/json': content } }
}
