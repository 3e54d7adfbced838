import { z } from 'zod'
import type { ErrorCode } from '../../api/errors.js'
import { errorEnvelope } from '../../api/errors.js'
import { refusalReason } from '../../api/orders/order-reason.js'
import { REASON_HEADER } from '../../api/refusal-headers.js'
import { CANNOT_ANSWER } from '../../http/middleware/envelope.js'
import type { Operation } from './operation.js'
import type { Json, SchemaShelf } from './schema-shelf.js'

const UNKNOWN_MEANING = 'Unknown query parameter'

/** Refusals that any request may receive, before it reaches a route or because of a fault. */
const COMMON: Readonly<Record<string, readonly [ErrorCode, string, string]>> = {
  NotHttp: [400, 'Not a valid HTTP request, or no Host header', 'The request is not HTTP'],
  TooSlow: [408, 'The request took too long to arrive', 'The request took too long to arrive'],
  UnknownParameter: [422, UNKNOWN_MEANING, 'surprise: Unknown parameter, this route takes none'],
  HeadersTooLarge: [431, 'The request headers are too large', 'The headers are too large'],
  TooBusy: [
    503,
    'Overloaded: too many requests or unsent answers',
    'Too many answers wait to be read: try again in a moment',
  ],
  Fault: [500, 'Internal error', CANNOT_ANSWER],
}

const MEANINGS: Partial<Record<ErrorCode, string>> = {
  400: 'The body cannot be parsed',
  401: 'The admin token is missing',
  403: 'Operators only',
  404: 'Not found',
  409: 'Conflicts with the current state',
  413: 'The body is larger than 100 KiB',
  422: 'Invalid field; the message names the first: `<field>: <reason>`',
  426: 'WebSocket upgrade required',
  503: 'Overloaded: nothing was queued; try again',
}

const NOT_THE_OPERATOR = {
  401: ['Send the admin token: Authorization: Bearer <token>'],
  403: [
    'This is not the admin token: send the one that the exchange was started with',
    'Only programs on the machine of the exchange may do this, unless it is started with RAAY_ADMIN_TOKEN',
  ],
}

const NO_BODY = {
  400: ['Malformed JSON', 'The body did not arrive whole'],
  413: ['Body is larger than 102400 bytes'],
}

const READS_BUSY = [
  'Too many reads are waiting: try again in a moment',
  'The read waited too long for its turn: try again in a moment',
]

const HEADERS: Partial<Record<ErrorCode, Json>> = {
  401: { 'WWW-Authenticate': { description: 'Bearer', required: true, schema: { type: 'string' } } },
  503: {
    'Retry-After': {
      description: 'Seconds to wait before trying again',
      required: true,
      schema: { type: 'string' },
    },
  },
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
  const entries = Object.entries(COMMON).map(([name, [code, description, message]]) => [
    name,
    refusal(shelf, code, [message], description),
  ])
  return Object.fromEntries(entries) as Json
}

/** Returns every refusal of an operation, by code. */
export function refusalsOf(operation: Operation, shelf: SchemaShelf): Json {
  const own = {
    ...(operation.isOperators && NOT_THE_OPERATOR),
    ...(operation.body && NO_BODY),
    ...operation.refusals,
    ...(operation.readsHistory && { 503: [...(operation.refusals[503] ?? []), ...READS_BUSY] }),
  }
  const all = Object.entries(COMMON).filter(([, [code]]) => code !== 422 || !operation.takesAnyQuery)
  const common = all.map(([name, [code]]) => [code, { $ref: `#/components/responses/${name}` }])
  const named = Object.entries(own).map(([code, messages]) => [
    code,
    refusal(shelf, Number(code) as ErrorCode, messages),
  ])
  return Object.fromEntries([...common, ...named]) as Json
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
