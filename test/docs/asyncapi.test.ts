import { ORDER_MESSAGES } from '../../src/api/channels/order-messages.js'
import { documentName } from '../../src/docs/asyncapi/socket-requests.js'
import specs from '@asyncapi/specs'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import t from 'tap'
import { asyncApiDocument } from '../../src/docs/asyncapi/asyncapi.js'
import type { AsyncApi } from '../fixtures/documented-socket.js'
import { DocumentedSocket } from '../fixtures/documented-socket.js'

const document = JSON.parse(JSON.stringify(asyncApiDocument('1.2.3'))) as AsyncApi
const socket = new DocumentedSocket(document)

t.test('the document is AsyncAPI 3.0', async t => {
  // The specification's schema brings its own copy of the meta-schema.
  const ajv = new Ajv({ strict: false, meta: false, validateSchema: false })
  addFormats.default(ajv)
  const check = ajv.compile({ ...specs.schemas['3.0.0'] } as object)
  t.ok(check(document), 'it is valid', { errors: check.errors })
  t.notOk(check({ ...document, channels: { market: { messages: 7 } } }), 'and detects an invalid one')
})

t.test('every operation names existing messages', async t => {
  const { operations, channels } = document
  for (const { messages } of Object.values(operations)) {
    for (const { $ref } of messages) {
      const [, , channel = '', , name = ''] = $ref.split('/')
      t.ok(channels[channel]?.messages[name], $ref)
    }
  }
})

t.test('every example fits its own schema, and that of no other message', async t => {
  for (const [name, { examples }] of socket.messages) {
    t.not(examples.length, 0, `${name} has an example`)
    const others = [...socket.messages.keys()].filter(other => other !== name)
    for (const { payload } of examples) {
      t.same(socket.faultsOf(name, payload), [], name)
      for (const other of others) t.not(socket.faultsOf(other, payload).length, 0, `${name} is no ${other}`)
    }
  }
})

t.test('each request has an example in each of its forms', async t => {
  const ofChannels = ['Orderbook', 'Group', 'User'].flatMap(name => [
    `subscribe${name}`,
    `unsubscribe${name}`,
  ])
  const ofOrders = ORDER_MESSAGES.map(({ verb }) => documentName(verb))
  t.same(socket.requests, [...ofChannels, 'authenticate', 'cancelOnDisconnect', ...ofOrders])
  for (const name of socket.requests) {
    const shapes = socket.messages.get(name)?.examples.map(({ payload }) => {
      return Array.isArray(payload) ? 'array' : Object.keys(payload as object)[0]
    })
    // Messages about orders have an id, for which an array has no room.
    const others = ofOrders.includes(name) ? ['event'] : ['event', 'array']
    t.same(shapes, ofChannels.includes(name) ? ['event', 'method', 'array'] : others, name)
  }
})

t.test('detects a message that differs from the document', async t => {
  const [delta] = socket.messages.get('delta')?.examples ?? []
  const { event, data } = (delta?.payload ?? {}) as { readonly event?: string; readonly data?: object }
  t.same(socket.faultsIn({ event, data }), [])
  t.match(socket.faultsIn({ event, data: { ...data, secret: 1 } }), [/in no document/, /secret/])
  t.match(socket.faultsIn({ event, data: { ...data, bids: [[1]] } }), [/in no document/])
  t.match(socket.faultsIn({ event, data: { ...data, type: 'other' } }), [/in no document/])
  t.match(socket.faultsIn({ event: 'other', data }), [/in no document/])
})
