import { z } from 'zod'
import type { AnyMessage } from '../../api/channels/messages.js'
import type { MessageNeeds } from '../../api/channels/message.js'
import { refusalsOf } from '../../api/channels/message.js'
import type { NamesData, ObjectData } from '../../api/channels/message-data.js'
import type { BodyData } from '../../api/channels/order-message.js'
import { LIMITS } from '../../api/limits.js'
import type { SocketMessage } from './socket-message.js'
import { messageId as id } from './socket-message.js'

const WHO: Readonly<Record<MessageNeeds, string>> = {
  visit: 'Everybody who is connected may send it.',
  markets: 'Readers of market data may send it: in `jwt` mode without public reads it needs `read`.',
  read: 'Needs the scope `read`, for oneself; operators for all users.',
  trade: 'Needs the scope `trade`, for oneself; operators for all users.',
}

/** Returns the name of a message or a reply in the document. */
export function documentName(verb: string): string {
  return verb.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Describes the requests that a client may send, each in all its notations (specification 12). */
export function requestsOf(messages: readonly AnyMessage[]): Readonly<Record<string, SocketMessage>> {
  return Object.fromEntries(messages.map(message => [documentName(message.verb), request(message)]))
}

function request(message: AnyMessage): SocketMessage {
  const { verb, data, says, needs, sample } = message
  const reasons = refusalsOf(message).map(reason => `\`${reason}\``)
  const description = [WHO[needs], costOf(message), `Refused with ${reasons.join(', ')}.`].join(' ')
  return { summary: says, description, ...notationsOf(verb, data, sample) }
}

function notationsOf(verb: string, data: AnyMessage['data'], sample: AnyMessage['sample']) {
  if (data.kind === 'names') return namesNotations(verb, data, sample)
  return data.kind === 'body' ? bodyNotation(verb, data, sample) : objectNotations(verb, data, sample)
}

function costOf({ cost, data }: AnyMessage): string {
  if ('kind' in cost) {
    const each = data.kind === 'body' && data.list !== undefined ? ` for each of its ${data.list}` : ''
    return `Counts as ${cost.points} of the limit of ${cost.kind}${each}, and costs no points.`
  }
  const points = cost.points + (cost.handling ?? 0)
  const each = data.kind === 'names' ? ' for each name' : ''
  return `Costs ${points} ${points === 1 ? 'point' : 'points'}${each}.`
}

/** Its `id` is required: answers may come in another order. */
function bodyNotation(verb: string, { schema }: BodyData, sample: AnyMessage['sample']) {
  return {
    schema: z.object({ event: z.literal(verb), data: schema, id: id.unwrap() }),
    samples: { 'with event, data and id': { event: verb, data: sample, id: 7 } },
  }
}

function namesNotations(verb: string, { item, fromSeq }: NamesData, sample: AnyMessage['sample']) {
  const { schema: subject } = item
  const place = z.int().min(0).optional()
  const rest = { ...(fromSeq !== undefined && { from_seq: place.meta({ description: fromSeq }) }), id }
  const list = z.array(subject).min(1).max(LIMITS.channelNamesMax)
  return {
    schema: z.union([
      z.object({ event: z.literal(verb), data: subject, ...rest }),
      z.object({ method: z.literal(verb), events: list, ...rest }),
      z.tuple([z.literal(verb), subject]),
    ]),
    samples: {
      'with event and data': {
        event: verb,
        data: sample,
        id: 1,
        ...(fromSeq !== undefined && { from_seq: 0 }),
      },
      'with method and events': { method: verb, events: [sample], id: 2 },
      'as an array': [verb, sample],
    },
  }
}

function objectNotations(verb: string, { fields }: ObjectData, sample: AnyMessage['sample']) {
  const data = z.object(
    Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
  )
  return {
    schema: z.union([z.object({ event: z.literal(verb), data, id }), z.tuple([z.literal(verb), data])]),
    samples: { 'with event and data': { event: verb, data: sample, id: 1 }, 'as an array': [verb, sample] },
  }
}
