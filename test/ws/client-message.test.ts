import t from 'tap'
import { ORDER_MESSAGES } from '../../src/api/channels/order-messages.js'
import type { ClientMessage, OrderAsked, Misunderstanding } from '../../src/api/channels/client-message.js'
import { MessageReader } from '../../src/api/channels/client-message.js'
import { LIMITS } from '../../src/api/limits.js'
import { Dice } from '../fixtures/dice.js'

const reader = new MessageReader()
const CODE = '1000001'
const VERBS = [
  'subscribe_orderbook',
  'unsubscribe_orderbook',
  'subscribe_group',
  'unsubscribe_group',
  'subscribe_user',
  'unsubscribe_user',
]
const WORDS = `Expected ${VERBS.map(verb => `'${verb}'`).join(' | ')}`
const ORDER_WORDS = ORDER_MESSAGES.map(({ verb }) => `'${verb}'`).join(' | ')
const ALL_WORDS = `${WORDS} | 'authenticate' | 'cancel_on_disconnect' | ${ORDER_WORDS}`

t.test('a message is parsed in each of the three forms', async t => {
  for (const verb of VERBS) {
    const expected = { verb, parts: [CODE], id: undefined, fromSeq: undefined }
    t.strictSame(read({ event: verb, data: CODE }), expected)
    t.strictSame(read({ method: verb, events: [CODE] }), expected)
    t.strictSame(read([verb, CODE]), expected)
  }
})

t.test('one message can name several events', async t => {
  const message = { method: 'subscribe_orderbook', events: ['1000001', 1000002, 'no such'] }
  t.match(read(message), { parts: ['1000001', '1000002', 'no such'] })
})

t.test('a code may be given as a number', async t => {
  t.match(read({ event: 'subscribe_orderbook', data: 1000001 }), { parts: [CODE] })
  t.match(read(['subscribe_orderbook', 1000001]), { parts: [CODE] })
})

t.test('id and from_seq are accepted in the two forms that have a place for them', async t => {
  const rest = { id: 7, from_seq: 42 }
  t.match(read({ event: 'subscribe_orderbook', data: CODE, ...rest }), { id: 7, fromSeq: 42 })
  t.match(read({ method: 'subscribe_orderbook', events: [CODE], ...rest }), { id: 7, fromSeq: 42 })
  t.match(read({ event: 'subscribe_orderbook', data: CODE, id: 'a-b', from_seq: 0 }), {
    id: 'a-b',
    fromSeq: 0,
  })
})

const MALFORMED = { id: undefined, code: 400, message: 'Malformed JSON', reason: 'malformed_json' }

t.test('invalid JSON is malformed, and a bad request', async t => {
  const texts = [
    '',
    ' ',
    '{',
    '{]',
    'subscribe_orderbook',
    "{'event':1}",
    'NaN',
    '[1,]',
    '\u0000',
    '{"a":1}x',
  ]
  for (const text of texts) {
    t.strictSame(reader.read(text), MALFORMED, text)
  }
})

t.test('JSON that is neither object nor array is refused, and the refusal names its type', async t => {
  const kinds = { '1': 'number', '"x"': 'string', true: 'boolean', null: 'null', '1e999': 'infinity' }
  for (const [text, kind] of Object.entries(kinds)) {
    const message = `message: Expected object or array, received ${kind}`
    t.strictSame(reader.read(text), { id: undefined, code: 422, message })
  }
})

t.test('each parse error names the field and the reason, in the terms of the form used', async t => {
  const subscribe = 'subscribe_orderbook'
  const many = Array.from({ length: LIMITS.channelNamesMax + 1 }, () => CODE)
  const cases: [unknown, string][] = [
    [{}, 'event: Required'],
    [{ data: CODE }, 'event: Required'],
    [[], 'event: Required'],
    [{ method: undefined, events: [CODE] }, 'event: Required'],
    [{ event: 'subscribe', data: CODE }, `event: Invalid enum value. ${ALL_WORDS}, received 'subscribe'`],
    [{ event: null, data: CODE }, `event: Invalid enum value. ${ALL_WORDS}, received 'null'`],
    [{ event: ['subscribe_orderbook'] }, `event: Invalid enum value. ${ALL_WORDS}, received 'array'`],
    [{ method: 'SUBSCRIBE', events: [CODE] }, `method: Invalid enum value. ${WORDS}, received 'SUBSCRIBE'`],
    [
      ['subscribe_orderbok', CODE],
      `event: Invalid enum value. ${ALL_WORDS}, received 'subscribe_orderbok'; did you mean subscribe_orderbook?`,
    ],
    [
      { method: 'authentikate', events: [CODE] },
      `method: Invalid enum value. ${WORDS}, received 'authentikate'`,
    ],
    [['subscribe_user', 2 ** 53], 'data: Expected fewer digits, or a text of them'],
    [['cancel_on_disconnect', { userid: 2 ** 53 }], 'data.userid: Expected fewer digits, or a text of them'],
    [['ping', CODE], `event: Invalid enum value. ${ALL_WORDS}, received 'ping'`],
    [{ event: 'subscribe_user', data: '' }, 'data: Expected 1 to 128 characters'],
    [['unsubscribe_user', 'x'.repeat(129)], 'data: Expected 1 to 128 characters'],
    [{ method: 'subscribe_user', events: [] }, `events: Expected 1 to ${LIMITS.channelNamesMax} user ids`],
    [{ event: subscribe }, 'data: Required'],
    [[subscribe], 'data: Required'],
    [{ method: subscribe }, 'events: Required'],
    [{ method: subscribe, events: CODE }, 'events: Expected array, received string'],
    [{ method: subscribe, events: null }, 'events: Expected array, received null'],
    [{ method: subscribe, events: {} }, 'events: Expected array, received object'],
    [{ method: subscribe, events: [] }, `events: Expected 1 to ${LIMITS.channelNamesMax} event codes`],
    [{ method: subscribe, events: many }, `events: Expected 1 to ${LIMITS.channelNamesMax} event codes`],
    [{ method: subscribe, events: [CODE, null] }, 'events: Expected string, received null'],
    [{ event: subscribe, data: null }, 'data: Expected string, received null'],
    [{ event: subscribe, data: [CODE] }, 'data: Expected string, received array'],
    [{ event: subscribe, data: { code: CODE } }, 'data: Expected string, received object'],
    [{ event: subscribe, data: true }, 'data: Expected string, received boolean'],
  ]
  for (const [input, message] of cases) t.strictSame(read(input), { id: undefined, code: 422, message })
})

t.test('an impossible from_seq is refused', async t => {
  for (const from_seq of ['1', -1, 1.5, null, true, [], {}, 2 ** 53]) {
    const result = read({ event: 'subscribe_orderbook', data: CODE, id: 1, from_seq })
    const message = 'from_seq: Expected a whole number, the last seq you have'
    t.strictSame(result, { id: 1, code: 422, message }, JSON.stringify(from_seq))
  }
})

t.test('a parse error echoes the id of its message', async t => {
  t.match(read({ id: 9, event: 'x' }), { id: 9, code: 422 })
  t.match(read({ id: 'nine', method: 'x' }), { id: 'nine', code: 422 })
})

t.test('an id that cannot be echoed is omitted, without harm', async t => {
  for (const id of [null, true, {}, [], 'x'.repeat(129), [[[]]]]) {
    t.match(read({ id, event: 'subscribe_orderbook', data: CODE }), { parts: [CODE], id: undefined })
  }
  const infinite = reader.read(`{"id":1e999,"event":"subscribe_orderbook","data":"${CODE}"}`)
  t.equal(infinite.id, undefined, 'JSON has no infinity: it would come back as null')
  t.equal(read({ id: 'x'.repeat(128), event: 'subscribe_orderbook', data: CODE }).id, 'x'.repeat(128))
})

t.test('a wrong verb is echoed only in part, however long or deep it is', async t => {
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
  for (const verb of [JSON.stringify('x'.repeat(60_000)), deep, `{"a":${deep}}`]) {
    const texts = [`{"event":${verb},"data":"${CODE}"}`, `{"method":${verb}}`, `[${verb}]`]
    for (const text of texts) {
      const result = reader.read(text)
      t.match(result, { code: 422, message: String })
      // Beside the list of all verbs, which only a new message makes longer.
      const echo = JSON.stringify(result).replace(/Expected '.*', received/, '')
      t.ok(echo.length < 150, `the answer is short: ${echo.length} beside the verbs`)
    }
  }
})

t.test('property names that every object inherits are neither verbs nor codes', async t => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    t.match(read({ event: name, data: CODE }), { code: 422 })
    t.match(reader.read(`{"${name}":"subscribe_orderbook","data":"${CODE}"}`), { code: 422 })
    t.match(read({ event: 'subscribe_orderbook', data: name }), { parts: [name] })
  }
})

t.test('any text is either parsed or rejected, and nothing is thrown', async t => {
  const dice = Dice.fromEnvironment(t)
  const seeds = [
    '{"event":"subscribe_orderbook","data":"1000001","id":1,"from_seq":42}',
    '{"method":"unsubscribe_orderbook","events":["1000001",1000002]}',
    '["subscribe_orderbook","1000001"]',
  ] as const
  const pieces = [
    '"',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    'null',
    '1e999',
    '\\u0000',
    '\\',
    '-',
    'true',
    ' ',
  ] as const
  let understood = 0
  for (let round = 0; round < 20_000; round++) {
    let text: string = dice.oneOf(seeds)
    for (let change = dice.between(0, 3); change > 0; change--) {
      const at = dice.between(0, text.length)
      text = text.slice(0, at) + dice.oneOf(pieces) + text.slice(at + dice.between(0, 4))
    }
    const result = reader.read(text)
    if (!('code' in result)) understood++
    else if (result.message === '' || (result.code !== 400 && result.code !== 422)) t.fail(text)
  }
  t.ok(understood > 1000 && understood < 19_000, `${understood} of 20,000 understood, seed ${dice.seed}`)
})

/** Reads a message, and names its declaration by the verb. */
function read(
  input: unknown,
): (Omit<ClientMessage, 'message'> & { readonly verb: string }) | OrderAsked | Misunderstanding {
  const result = reader.read(JSON.stringify(input))
  if ('code' in result || 'order' in result) return result
  const { message, ...rest } = result
  return { verb: message.verb, ...rest }
}
