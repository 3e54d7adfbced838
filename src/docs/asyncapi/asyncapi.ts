import { answerField } from '../../api/fields.js'
import type { Json } from '../openapi/schema-shelf.js'
import { SchemaShelf } from '../openapi/schema-shelf.js'
import { marketMessages } from './market-channel.js'
import type { SocketMessage } from './socket-message.js'
import { replies, requests } from './socket-requests.js'
import { userMessages } from './user-channel.js'

type Messages = Readonly<Record<string, SocketMessage>>

const DESCRIPTION = `One connection carries all: what a client asks for, how it is answered, and the channels
it follows.

A request may be written in three ways, and each is answered. All messages of a channel share one numbering
without gaps: where \`prev_seq\` is not the last \`seq\` you have (on a private channel: where \`user_seq\`
is not the last one and one more), you missed something. Subscribe again with \`from_seq\`, the last number
you have.

A message is at most 64 KiB, else the connection ends with 1009; a name that comes twice in it is answered
once. A client that reads too slowly, or has more than 1,024 messages (256 Ki characters) waiting, is sent
away with 1013; an exchange that stops says 1001. It pings every 20 seconds.

A connection follows at most 1,000 events and 100 users; all together follow 500,000 events and 200,000 users
(error 503). It has 5,000 points to spend, and gets back 500 a second: each name in a message costs one, each
KiB of a message or of a snapshot or replay that it brings one more, the first part of a user's replay five,
an error ten. Who has spent them all gets error 429 with \`retry_after_ms\`, in place of a subscription, and
who goes on regardless, 500 times and 50 times a second more, is sent away with 1008. A client that sends
its subscriptions some at a time, and those that were refused again after the wait, follows as much as it
may.

Where it was started with \`--socket-io\` the exchange says the same to a \`socket.io-client\` at
\`/socket.io/\`: emit \`subscribe_orderbook\` with a code, listen to the event \`event_orderbook_1000001\`.`

/** Returns the WebSocket API as an AsyncAPI 3.0 document. */
export function asyncApiDocument(version: string): Json {
  const shelf = new SchemaShelf('draft-7')
  const { description, pattern } = shelf.schemaOf(answerField.eventCode, 'output')
  const channels = {
    window: {
      address: '/ws',
      title: 'Requests and answers',
      description: 'Requests of a client, the answers to them, and heartbeats.',
      messages: { ...told(requests, shelf, 'input'), ...told(replies, shelf, 'output') },
    },
    market: {
      address: 'event_orderbook_{code}',
      title: "An event's channel",
      description: "An event's book and what happens in it, in one numbering; for everybody.",
      parameters: { code: { description: `${description}: ${pattern}`, examples: ['1000001'] } },
      messages: told(marketMessages, shelf, 'output'),
    },
    user: {
      address: 'user_{userid}',
      title: "A user's channel",
      description:
        "A user's orders, fills, positions and money. Durable: with `from_seq` all that came after it is " +
        'sent again, however long ago it was.',
      parameters: { userid: { description: 'A user id', examples: ['asha'] } },
      messages: told(userMessages, shelf, 'output'),
    },
  }
  return {
    asyncapi: '3.0.0',
    info: { title: 'Raay, over WebSocket', version, description: DESCRIPTION, license: { name: 'MIT' } },
    defaultContentType: 'application/json',
    servers: {
      exchange: {
        host: '{host}',
        protocol: 'ws',
        description: 'Where the exchange listens; at `/`, `/ws` and `/api/v1/ws`.',
        variables: { host: { default: '127.0.0.1:3000' } },
      },
    },
    channels,
    operations: operationsOf(),
    components: { schemas: shelf.components },
  }
}

function operationsOf(): Json {
  return {
    ask: {
      action: 'receive',
      summary: 'What a client asks for',
      channel: { $ref: '#/channels/window' },
      messages: refs('window', requests),
      reply: { channel: { $ref: '#/channels/window' }, messages: refs('window', answersIn(replies)) },
    },
    beat: {
      action: 'send',
      summary: 'How far each channel is',
      channel: { $ref: '#/channels/window' },
      messages: [{ $ref: '#/channels/window/messages/heartbeat' }],
    },
    tellMarket: {
      action: 'send',
      summary: 'What happens in a market',
      channel: { $ref: '#/channels/market' },
      messages: refs('market', marketMessages),
    },
    tellUser: {
      action: 'send',
      summary: 'What happens to a user',
      channel: { $ref: '#/channels/user' },
      messages: refs('user', userMessages),
    },
  }
}

function told(messages: Messages, shelf: SchemaShelf, io: 'input' | 'output'): Json {
  const entries = Object.entries(messages).map(([name, { summary, schema, samples }]) => [
    name,
    {
      name,
      summary,
      payload: shelf.schemaOf(schema, io),
      examples: Object.entries(samples).map(([title, payload]) => ({ name: title, payload })),
    },
  ])
  return Object.fromEntries(entries) as Json
}

function answersIn({ heartbeat: _, ...answers }: Messages): Messages {
  return answers
}

function refs(channel: string, messages: Messages): Json[] {
  return Object.keys(messages).map(name => ({ $ref: `#/channels/${channel}/messages/${name}` }))
}
