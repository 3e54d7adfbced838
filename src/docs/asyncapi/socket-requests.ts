import { z } from 'zod'
import type { Message } from '../../api/channels/message.js'
import { refusalsOf } from '../../api/channels/message.js'
import type { NamesData, ObjectData } from '../../api/channels/message-data.js'
import { LIMITS } from '../../api/limits.js'
import type { SocketMessage } from './socket-message.js'
import { messageId as id } from './socket-message.js'

const WHO: Readonly<Record<Message['needs'], string>> = {
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
export function requestsOf(messages: readonly Message[]): Readonly<Record<string, SocketMessage>> {
  return Object.fromEntries(messages.map(message => [documentName(message.verb), request(message)]))
}

function request(message: Message): SocketMessage {
  const { verb, data, says, needs, cost, sample } = message
  const reasons = refusalsOf(message).map(reason => `\`${reason}\``)
  const points = cost.points + (cost.handling ?? 0)
  const description = [
    WHO[needs],
    `Costs ${points} ${points === 1 ? 'point' : 'points'}${data.kind === 'names' ? ' for each name' : ''}.`,
    `Refused with ${reasons.join(', ')}.`,
  ].join(' ')
  const notations =
    data.kind === 'names' ? namesNotations(verb, data, sample) : objectNotations(verb, data, sample)
  return { summary: says, description, ...notations }
}

function namesNotations(verb: string, { item, fromSeq }: NamesData, sample: Message['sample']) {
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

function objectNotations(verb: string, { fields }: ObjectData, sample: Message['sample']) {
  const data = z.object(
    Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
  )
  return {
    schema: z.union([z.object({ event: z.literal(verb), data, id }), z.tuple([z.literal(verb), data])]),
    samples: { 'with event and data': { event: verb, data: sample, id: 1 }, 'as an array': [verb, sample] },
  }
}
