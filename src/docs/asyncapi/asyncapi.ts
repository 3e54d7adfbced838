import type { AnyMessage } from '../../api/channels/messages.js'
import { MESSAGES } from '../../api/channels/messages.js'
import { answerField } from '../../api/fields.js'
import type { Json } from '../openapi/schema-shelf.js'
import { CONTACT } from '../openapi/openapi.js'
import { SchemaShelf } from '../openapi/schema-shelf.js'
import { groupMessages } from './group-prices.js'
import { marketMessages } from './market-channel.js'
import type { SocketMessage } from './socket-message.js'
import { repliesTo } from './socket-replies.js'
import { requestsOf } from './socket-requests.js'
import { userMessages } from './user-channel.js'

type Documented = Readonly<Record<string, SocketMessage>>

const DESCRIPTION = `One connection carries requests, replies and all subscribed channels.

A request may be written in three notations; each request is answered. The messages of a channel are numbered
without gaps. If \`prev_seq\` is not the last \`seq\` you received (on a user channel: if \`user_seq\` is
not the last one plus one), you missed a message: subscribe again with \`from_seq\`, the last number you
received.

A message larger than 64 KiB closes the connection with 1009; a name repeated within a message is answered
once. A client that reads too slowly, or has more than 1,024 messages (256 Ki characters) waiting, is
disconnected with 1013. A shutdown closes connections with 1001. The exchange pings every 20 seconds.

Where callers are identified, a connection authenticates by its upgrade (the header \`Authorization\`, the
subprotocols \`raay, bearer.<token>\`, or the cookie of a browser) or by the message \`authenticate\`; never
by its address. A wrong token is refused with error 401; the fifth closes the connection with 1008. When the
session, key or token ends or expires, or its rights change, the connection is closed with 4401. In the mode
\`jwt\` without public reads a connection has 5 seconds to authenticate, and is closed with 1008 otherwise.
With \`cancel_on_disconnect\` a user's open orders are cancelled as soon as the connection has ended.
A user has at most 100 connections, with 5,000 channels on all of them.

Messages about orders do what their routes over HTTP do, with the same fields, rights, limits, names and
refusals. They need an \`id\`, as answers may come in another order, and cost no points. A connection has at
most 1,000 orders and cancels in flight (error 429 \`orders_in_flight\`).

A connection can subscribe to 1,000 events and groups and 100 users; all connections together to 500,000
events and groups and 200,000 users (error 503). Each connection has a budget of 5,000 points, refilled at
500 a second. Each name in a message costs one point, each KiB of a message or of the snapshot or replay it
triggers one more, the first part of a user replay five, and an error ten. With the budget spent, a
subscription gets error 429 with \`retry_after_ms\`; a client that keeps sending, beyond 500 refusals plus 50
a second, is disconnected with 1008. To subscribe up to the limit, send subscriptions in batches and repeat
refused ones after the wait.

With \`--socket-io\` the exchange also serves \`socket.io-client\` at
\`/socket.io/\`: emit \`subscribe_orderbook\` with a code, listen to the event \`event_orderbook_1000001\`.`

/** The credentials of a connection. */
const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A token in the header Authorization of the upgrade, as the subprotocol bearer.<token> beside raay, ' +
      'or in the message authenticate; never in the address.',
  },
  session: {
    type: 'httpApiKey',
    in: 'cookie',
    name: 'raay_session',
    description: 'The session of a page of the exchange; over HTTPS its name is __Host-raay_session.',
  },
}

/** Returns the WebSocket API as an AsyncAPI 3.0 document. */
export function asyncApiDocument(version: string, messages: readonly AnyMessage[] = MESSAGES): Json {
  const [requests, replies] = [requestsOf(messages), repliesTo(messages)]
  const shelf = new SchemaShelf('draft-7')
  const channels = channelsOf(requests, replies, shelf)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Raay, over WebSocket',
      version,
      description: DESCRIPTION,
      contact: CONTACT,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      tags: [
        { name: 'Market data', description: 'Order books, trades and status of events' },
        { name: 'Trading', description: 'Orders, and what they do to the account of their user' },
      ],
    },
    defaultContentType: 'application/json',
    servers: {
      exchange: {
        host: '{host}',
        protocol: 'ws',
        description: 'The address of the exchange; WebSocket is at `/`, `/ws` and `/api/v1/ws`.',
        variables: { host: { default: '127.0.0.1:3000' } },
      },
    },
    channels,
    operations: operationsOf(requests, replies),
    components: { schemas: shelf.components, securitySchemes: SECURITY_SCHEMES },
  }
}

function channelsOf(requests: Documented, replies: Documented, shelf: SchemaShelf): Json {
  const { description, pattern } = shelf.schemaOf(answerField.eventCode, 'output')
  return {
    window: {
      address: '/ws',
      title: 'Requests and replies',
      description: 'Client requests, their replies, and heartbeats.',
      messages: { ...told(requests, shelf, 'input'), ...told(replies, shelf, 'output') },
    },
    market: {
      address: 'event_orderbook_{code}',
      title: 'Event channel',
      description: 'Public: order book, trades and status of an event, numbered in one sequence.',
      parameters: { code: { description: `${description}: ${pattern}`, examples: ['1000001'] } },
      messages: told(marketMessages, shelf, 'output'),
    },
    group: {
      address: 'event_group_{code}',
      title: 'Group channel',
      description:
        'Public: best and last prices of all outcomes of a group. A message is sent when one of them has ' +
        'changed, and has those outcomes only. `seq` is the sum of the numbers of the outcomes’ own ' +
        'channels, so it rises in steps.',
      parameters: { code: { description: 'A group code, seven digits', examples: ['1000002'] } },
      messages: told(groupMessages, shelf, 'output'),
    },
    user: {
      address: 'user_{userid}',
      title: 'User channel',
      description:
        'Orders, fills, positions and balance of a user. Durable: `from_seq` replays every later message, ' +
        'however old.',
      parameters: { userid: { description: 'A user id', examples: ['asha'] } },
      messages: told(userMessages, shelf, 'output'),
    },
  }
}

function operationsOf(requests: Documented, replies: Documented): Json {
  return {
    ask: {
      action: 'receive',
      summary: 'Client requests',
      description: 'Each request is answered once, by its reply or an error.',
      channel: { $ref: '#/channels/window' },
      messages: refs('window', requests),
      reply: { channel: { $ref: '#/channels/window' }, messages: refs('window', answersIn(replies)) },
    },
    beat: {
      action: 'send',
      summary: 'Heartbeats with the last number of each channel',
      description: 'Every 20 seconds. A number that you have not reached shows that you missed a message.',
      channel: { $ref: '#/channels/window' },
      messages: [{ $ref: '#/channels/window/messages/heartbeat' }],
    },
    tellMarket: {
      action: 'send',
      summary: 'Market updates',
      description: 'For everyone who may read markets.',
      channel: { $ref: '#/channels/market' },
      messages: refs('market', marketMessages),
    },
    tellGroup: {
      action: 'send',
      summary: 'Prices of groups',
      channel: { $ref: '#/channels/group' },
      messages: refs('group', groupMessages),
    },
    tellUser: {
      action: 'send',
      summary: 'Account updates',
      description: 'Without a token in open mode only; one’s own, or those of all users for operators.',
      channel: { $ref: '#/channels/user' },
      security: Object.keys(SECURITY_SCHEMES).map(name => ({ $ref: `#/components/securitySchemes/${name}` })),
      messages: refs('user', userMessages),
    },
  }
}

function told(messages: Documented, shelf: SchemaShelf, io: 'input' | 'output'): Json {
  const entries = Object.entries(messages).map(([name, { summary, description, schema, samples }]) => [
    name,
    {
      name,
      summary,
      ...(description !== undefined && { description }),
      payload: shelf.schemaOf(schema, io),
      examples: Object.entries(samples).map(([title, payload]) => ({ name: title, payload })),
    },
  ])
  return Object.fromEntries(entries) as Json
}

function answersIn({ heartbeat: _, ...answers }: Documented): Documented {
  return answers
}

function refs(channel: string, messages: Documented): Json[] {
  return Object.keys(messages).map(name => ({ $ref: `#/channels/${channel}/messages/${name}` }))
}
