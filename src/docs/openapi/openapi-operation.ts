import { z } from 'zod'
import { answerField } from '../../api/fields.js'
import { LIMITS } from '../../api/limits.js'
import { keyField } from '../../api/orders/order-key.js'
import { userIdText } from '../../api/user-id.js'
import { describedWithCallers, securityOf } from './openapi-callers.js'
import { refusalsOf } from './openapi-refusals.js'
import type { AnswerHeader, Route, RouteAnswer } from '../../api/route.js'
import { samples } from '../../api/samples.js'
import {
  MIN_SEQUENCE_HEADER,
  EPOCH_HEADER,
  epochField,
  minSequenceField,
  SEQUENCE_HEADER,
  showsSequence,
  takesMinSequence,
} from '../../api/sequence.js'
import type { Json, SchemaShelf } from './schema-shelf.js'

const PATH_PARAMETERS: Readonly<Record<string, readonly [z.ZodType, string]>> = {
  code: [answerField.eventCode, '1000001'],
  id: [answerField.orderId, samples.orderId],
  userid: [userIdText, 'asha'],
  key: [keyField, 'bid-17'],
  season: [
    z
      .string()
      .regex(/^[1-9]\d{0,3}$/)
      .meta({ description: 'The number of a season' }),
    '1',
  ],
  webhook: [z.string().meta({ description: 'The id of a webhook' }), 'wh_5dXeq0Pl2k8J'],
  number: [
    z
      .string()
      .regex(/^[1-9]\d{0,14}$/)
      .meta({ description: 'The number of a session, key, passkey, invitation, comment or template' }),
    '7',
  ],
  name: [
    z.string().min(1).max(LIMITS.userIdLengthMax).meta({ description: 'The name of an account' }),
    'asha',
  ],
  backup: [z.string().meta({ description: 'The name of a backup' }), 'raay-20260201T120000.000Z'],
}

const EPOCH: AnswerHeader = {
  description: 'The number of the epoch of that batch: a takeover begins the next one',
  isOptional: true,
}
const SEQUENCE: AnswerHeader = {
  description: 'The last batch of the journal that the answer includes, for `X-Min-Sequence`',
  isOptional: true,
}

/** Returns one operation in OpenAPI's terms; named schemas go onto the shelf. */
export function openApiOperation(operation: Route, shelf: SchemaShelf): Json {
  const { id, group, summary, body, isAtRootOnly } = operation
  const description = describedWithCallers(operation)
  const parameters = parametersOf(operation, shelf)
  const answers = operation.answers.map(answer => [answer.code, answerOf(answer, operation, shelf)])
  return {
    operationId: id,
    tags: [group],
    summary,
    description,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: bodyOf(body, shelf) }),
    responses: { ...Object.fromEntries(answers), ...refusalsOf(operation, shelf) },
    security: securityOf(operation),
    ...(isAtRootOnly && { servers: [{ url: '/' }] }),
  }
}

/** Writes a path as OpenAPI does: `{code}` for `:code`. */
export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function parametersOf(operation: Route, shelf: SchemaShelf): Json[] {
  const { path, query, querySample, headers, headersSample } = operation
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)
  const inPath = names.map(name => {
    const [schema, example] = PATH_PARAMETERS[name] ?? [z.string(), '']
    return parameter(shelf, 'path', name, schema, example)
  })
  const others = [
    ['query', query, querySample],
    ['header', headers, headersSample],
  ] as const
  return [
    ...inPath,
    ...others.flatMap(([place, object, sample]) =>
      Object.entries(object?.shape ?? {}).map(([name, schema]) =>
        parameter(shelf, place, name, schema as z.ZodType, sample?.[name]),
      ),
    ),
    ...(takesMinSequence(operation)
      ? [
          parameter(shelf, 'header', MIN_SEQUENCE_HEADER, minSequenceField, 0),
          parameter(shelf, 'header', EPOCH_HEADER, epochField, 0),
        ]
      : []),
  ]
}

function parameter(
  shelf: SchemaShelf,
  place: 'path' | 'query' | 'header',
  name: string,
  zod: z.ZodType,
  example: unknown,
): Json {
  const { description, examples: _, ...schema } = shelf.schemaOf(zod, 'input')
  const required = place === 'path' || !zod.safeParse(undefined).success
  return { name, in: place, required, ...(description !== undefined && { description }), schema, example }
}

function bodyOf({ schema, samples }: NonNullable<Route['body']>, shelf: SchemaShelf): Json {
  const examples = mapValues(samples, value => ({ value }))
  return {
    required: true,
    content: { 'application/json': { schema: shelf.schemaOf(schema, 'input'), examples } },
  }
}

function answerOf(answer: RouteAnswer, operation: Route, shelf: SchemaShelf): Json {
  const { code, message, content, description = typeof message === 'string' ? message : 'Done' } = answer
  if (content !== undefined) {
    const schema = shelf.schemaOf(content.schema, 'output')
    return { description, content: { [content.type]: { schema, example: content.sample } } }
  }
  if (message === undefined) return { description }
  const examples = mapValues(answer.samples ?? {}, sample => ({
    value: { status: true, code, message, ...sample },
  }))
  const sequence = showsSequence(operation) ? { [SEQUENCE_HEADER]: SEQUENCE, [EPOCH_HEADER]: EPOCH } : {}
  const headers = mapValues({ ...answer.headers, ...sequence }, ({ description, isOptional = false }) => ({
    description,
    required: !isOptional,
    schema: { type: 'string' },
  }))
  return {
    description,
    ...(Object.keys(headers).length > 0 && { headers }),
    content: { 'application/json': { schema: shelf.schemaOf(envelopeOf(answer), 'output'), examples } },
  }
}

/** Returns the success envelope (specification 2.1) with the answer's own `additional`. */
function envelopeOf({ code, message, additional }: RouteAnswer): z.ZodType {
  return z.object({
    status: z.literal(true),
    code: z.literal(code),
    message: message instanceof RegExp ? z.string().regex(message) : z.literal(message ?? ''),
    ...(additional !== undefined && { additional }),
  })
}

function mapValues<Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}
