import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { Context } from 'hono'
import t from 'tap'
import { WAITS_MAX } from '../../src/access/limits/limiter.js'
import { FIRST_EPOCH } from '../../src/core/epoch.js'
import type { Sequence } from '../../src/core/units.js'
import type { Exchange } from '../../src/exchange/exchange.js'
import { AppliedBatches, WAITING_MAX } from '../../src/exchange/reads/applied-batches.js'
import { EPOCHS_MAX, KeptEpochs } from '../../src/exchange/kept-epochs.js'
import { waitForBatch } from '../../src/http/routing/min-sequence.js'
import { startTestServer } from '../fixtures/server-process.js'

const sequenceOf = (headers: Headers) => Number(headers.get('x-sequence') ?? Number.NaN)
const min = (sequence: number | string) => ({ 'x-min-sequence': String(sequence) })

t.test('a write says its batch, and a read that names the batch sees it', async t => {
  const { client, exchange } = await startTestServer(t)
  const event = await client.createEvent()
  const before = exchange.applied.last
  const placed = await client.post('/order/initiate', {
    ...{ event_id: event, offer_type: 'buy', order_type: 'LO', userid: 'ada' },
    ...{ l1_expected_price: 5, l1_order_quantity: 1 },
  })
  const sequence = sequenceOf(placed.headers)
  t.ok(sequence > before && sequence <= exchange.applied.last, 'the order is in this batch at the latest')
  const read = await client.get(`/events/${event}/orderbook`, min(sequence))
  t.match(read.body.additional, { bids: [[5, 1]] })
  t.equal(read.headers.get('x-sequence'), null, 'a read says no batch')

  t.ok(
    sequenceOf((await client.post(`/events/${event}/close`, {})).headers) > sequence,
    'an operator hears it',
  )
  const wrong = await client.post('/order/initiate', {})
  t.same([wrong.status, wrong.headers.get('x-sequence')], [422, null], 'a refusal says none')
  t.equal((await client.get('/version', min('x'))).status, 200, 'what is in no journal waits for none')
})

/** Lets an exchange that leads follow another one, as far as a read can see; returns what turns that. */
function followSeemingly(exchange: Exchange): (leads: boolean) => void {
  let leads = false
  Object.defineProperty(exchange, 'leads', { get: () => leads })
  return now => {
    leads = now
  }
}

t.test('a read ahead of its time waits for the batch, and for no other', async t => {
  const { client, exchange } = await startTestServer(t)
  const event = await client.createEvent()
  const next = exchange.applied.last + 1
  const head = await client.send('POST', '/order/preview', '{}', min('not read by writes'))
  t.equal(head.headers.get('raay-reason'), 'validation')
  const lead = followSeemingly(exchange)
  const waiting = client.get(`/events/${event}/orderbook`, min(next))
  const late = client.get('/events', min(next + 1_000_000))
  while (exchange.applied.waitingCount < 2) await setImmediate()
  lead(true)
  await client.placeOrder(event)
  lead(false)
  t.match((await waiting).body.additional, { bids: [[5, 1]] }, 'the answer is of after the batch')

  const { status, headers, body } = await late
  t.same([status, headers.get('raay-reason'), headers.get('retry-after')], [503, 'behind', '1'])
  t.match(body.message, /^X-Min-Sequence: .*within 2 s/)
})

t.test('a value that is not a number is refused by its name', async t => {
  const { client } = await startTestServer(t)
  await client.createEvent()
  for (const value of ['9'.repeat(30), '-1', '1.5', '0x10', '1e3', '', ' ', '7, 8', '9007199254740992']) {
    const { status, body } = await client.get('/events', min(value))
    t.same([status, body.message], [422, 'X-Min-Sequence: Expected 0 to 9007199254740991'], `'${value}'`)
  }
  t.equal((await client.get('/events', min('0001'))).status, 200, 'zeros before it change nothing')
  const wrongEpoch = await client.get('/events', { ...min(1), 'x-epoch': 'x' })
  t.same([wrongEpoch.status, wrongEpoch.body.message], [422, 'X-Epoch: Expected 0 to 9007199254740991'])
})

t.test('the reads of one address that wait are bounded, and others go on', async t => {
  const { url, exchange } = await startTestServer(t, { rateLimits: 'on' })
  followSeemingly(exchange)
  const ahead = { headers: min(exchange.applied.last + 1_000_000) }
  const over = new AbortController()
  const reads = Array.from({ length: WAITS_MAX + 1 }, async () => {
    const { status } = await fetch(`${url}/events`, { ...ahead, signal: over.signal })
    return status
  })
  t.equal(await Promise.race(reads), 429)
  t.equal((await fetch(`${url}/events`)).status, 200)
  over.abort()
  const ends = await Promise.allSettled(reads)
  t.equal(ends.filter(({ status }) => status === 'rejected').length, WAITS_MAX)
})

t.test('the wait ends with the client, and leaves no timer and no listener', async t => {
  const outgoing = new EventEmitter()
  const c = { env: { outgoing } } as unknown as Context
  const applied = new AppliedBatches(7 as Sequence)
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const before = timers()
  const batches = { applied, leads: false }
  const waitFor = (sequence: number) => waitForBatch(batches, c, undefined, { sequence, epoch: undefined })
  const [gone, served] = [waitFor(9), waitFor(8)]
  applied.applied(8 as Sequence)
  await served
  t.equal(applied.waitingCount, 1)
  outgoing.emit('close')
  await t.rejects(gone ?? Promise.resolve(), { code: 503, reason: 'behind' })
  t.same([applied.waitingCount, outgoing.listenerCount('close'), timers()], [0, 0, before])
})

t.test('waits are bounded, and end in the order of their batches', async t => {
  const applied = new AppliedBatches(0 as Sequence)
  const ended: number[] = []
  const wait = async (sequence: number, signal = new AbortController().signal) => {
    const isApplied = await applied.whenApplied(sequence, signal)
    if (isApplied === true) ended.push(sequence)
    return isApplied
  }
  const waits = [3, 1, 2, 2, 4].map(sequence => wait(sequence))
  applied.applied(1 as Sequence)
  applied.applied(3 as Sequence)
  await Promise.all(waits.slice(0, -1))
  t.same(ended, [1, 2, 2, 3])
  t.equal(await wait(3), true, 'what is applied is not waited for')
  const over = new AbortController()
  const ends = Array.from({ length: WAITING_MAX - 1 }, () => applied.whenApplied(5, over.signal))
  t.equal(await wait(9), 'reads_full')
  t.equal(await wait(3), true, 'not even then')
  over.abort()
  t.same(new Set(await Promise.all(ends)), new Set([false]))
  t.equal(await wait(9, over.signal), false)
  applied.applied(4 as Sequence)
  t.equal(await waits.at(-1), true)
  t.equal(applied.waitingCount, 0, 'an ended wait is not kept')
})

t.test('a read learns at once that a takeover has lost its batch', async t => {
  const epochs = new KeptEpochs([FIRST_EPOCH, epochFrom(1, 5), epochFrom(2, 10), epochFrom(3, 15)])
  const exchange = { applied: new AppliedBatches(20 as Sequence, epochs), leads: false }
  const c = { env: {} } as unknown as Context
  const read = async (sequence: number, epoch?: number) => {
    return waitForBatch(exchange, c, undefined, { sequence, epoch })
  }
  const lost = { code: 409, reason: 'sequence_lost' }
  await t.rejects(read(15, 2), lost, 'another batch has its number')
  await t.rejects(read(1000, 2), lost)
  await t.rejects(read(1000, 1), lost, 'a takeover later')
  t.equal(await read(14, 2), undefined, 'the epoch began behind it')
  await t.rejects(read(12, 1), lost, 'lost by the takeover before the last one')
  await t.rejects(read(10, 1), lost)
  t.equal(await read(9, 1), undefined, 'which it outlived')
  t.equal(await read(4, 0), undefined)
  await t.rejects(read(5, 0), lost, 'three takeovers later')
  t.equal(await read(20, 3), undefined)
  t.equal(await read(20), undefined, 'without an epoch the number alone counts')

  const [last, middle, first] = [read(25, 3), read(22), read(23, 3)]
  epochs.begin(epochFrom(4, 21))
  exchange.applied.applied(24 as Sequence)
  await t.rejects(first, lost, 'the takeover came while it waited')
  await middle
  exchange.leads = true
  exchange.applied.applied(26 as Sequence)
  await t.rejects(last, lost)
  await t.rejects(read(27), lost, 'who leads knows all batches')
  await t.rejects(read(27, 4), lost)
  t.equal(await read(26, 4), undefined)
  const behind = { code: 503, reason: 'behind' }
  await t.rejects(read(26, 5), behind, 'another exchange leads, and this one has not heard of it')
  await t.rejects(read(27, 5), behind)
  exchange.leads = false
  await t.rejects(read(26, 5), behind, 'a standby whose batches another exchange went on without')
})

t.test('the epochs that are kept are bounded, and what ended before them counts as lost', t => {
  const epochs = new KeptEpochs()
  for (let epoch = 1; epoch <= EPOCHS_MAX; epoch++) epochs.begin(epochFrom(epoch, 10 * epoch))
  t.same([epochs.hasLost(0, 9), epochs.hasLost(0, 10)], [false, true])
  epochs.begin(epochFrom(EPOCHS_MAX + 1, 10 * (EPOCHS_MAX + 1)))
  t.same([epochs.hasLost(0, 9), epochs.hasLost(1, 19), epochs.hasLost(1, 20)], [true, false, true])
  t.equal(epochs.hasLost(EPOCHS_MAX + 1, 1_000_000), false)
  t.end()
})

t.test('the exchange that leads answers a read from beyond its end at once', async t => {
  const { client, exchange } = await startTestServer(t)
  const event = await client.createEvent()
  const path = `/events/${event}/orderbook`
  const { status, headers, body } = await client.get(path, min(exchange.applied.last + 1))
  t.same([status, headers.get('raay-reason')], [409, 'sequence_lost'])
  t.match(body.message, /^X-Min-Sequence: A takeover lost this batch/)
  const closed = await client.post(`/events/${event}/close`, {})
  t.equal(closed.headers.get('x-epoch'), '0')
  const seen = { 'x-epoch': '0', ...min(sequenceOf(closed.headers)) }
  t.equal((await client.get(path, seen)).status, 200)
})

const epochFrom = (epoch: number, from: number) => ({ epoch, rules: 1, from: from as Sequence })
