import { readFileSync, renameSync, statSync } from 'node:fs'
import { BlockList } from 'node:net'
import { dirname, join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import type { Test } from 'tap'
import t from 'tap'
import type { WebhookEvent } from '../../src/api/operator/webhook-shape.js'
import { assert } from '../../src/core/assert.js'
import type { TimeMs } from '../../src/core/units.js'
import { SiteStore } from '../../src/site/site-store.js'
import { CourierThread } from '../../src/webhooks/courier.js'
import type { Webhooks } from '../../src/webhooks/webhooks.js'
import type { AccessRoom } from '../fixtures/access-room.js'
import { openAccessRoom } from '../fixtures/access-room.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { HOUR, START, TestExchange } from '../fixtures/test-exchange.js'
import type { Received, Receiver } from '../fixtures/webhooks/receiver.js'
import { openReceiver } from '../fixtures/webhooks/receiver.js'
import { webhooksOn } from '../fixtures/webhooks/webhooks-on.js'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
const BY = { who: 'token', address: '127.0.0.1', fields: {} } as const
const ALL: readonly WebhookEvent[] = ['created', 'halted', 'awaiting_result', 'resolved']

/** An exchange with webhooks, their files and a receiver. */
class Stage {
  readonly test: TestExchange
  readonly access: AccessRoom
  readonly receiver: Receiver
  readonly warnings: object[] = []
  site: SiteStore
  webhooks: Webhooks
  readonly #sitePath: string

  private constructor(test: TestExchange, access: AccessRoom, receiver: Receiver) {
    this.test = test
    this.access = access
    this.receiver = receiver
    this.#sitePath = join(dirname(test.file), 'site.db')
    this.site = this.#openSite()
    this.webhooks = this.#open()
  }

  static async open(t: Test): Promise<Stage> {
    let stage: Stage | undefined
    t.teardown(async () => {
      await stage?.webhooks.deliverer.stop()
      stage?.site.close()
    })
    const test = await TestExchange.open(t)
    const access = openAccessRoom(t, { path: join(dirname(test.file), 'access.db') })
    stage = new Stage(test, access, await openReceiver(t))
    return stage
  }

  #openSite(): SiteStore {
    return new SiteStore({ path: this.#sitePath, now: () => this.test.now as TimeMs })
  }

  #open(): Webhooks {
    const { test, access, site, warnings } = this
    return webhooksOn({
      ...{ file: test.file, exchange: test.exchange, store: access.store, site, warnings },
      ...{ now: () => test.now, courier: new CourierThread(test.file), allowed: LOOPBACK },
    })
  }

  /** Starts the webhooks once more, as after a stop of the exchange. */
  async restart(change: () => void | Promise<void> = () => undefined): Promise<void> {
    await this.webhooks.deliverer.stop()
    await change()
    this.webhooks = this.#open()
  }

  /** Loses the file with the cursors. */
  loseCursors(): void {
    this.site.file.prepare('DELETE FROM webhook_cursors').run()
  }

  async create(events = ALL, url = this.receiver.url) {
    const made = await this.webhooks.create({ url, events }, BY)
    assert(typeof made !== 'string', 'a webhook of a test is created')
    return made
  }

  /** Sends all that is due. */
  async send(): Promise<void> {
    await this.test.exchange.drain()
    await this.webhooks.deliverer.look()
  }

  get sent(): string[] {
    return this.receiver.requests.map(request => `${typeOf(request)} ${request.id}`)
  }

  get sequence(): number {
    return this.test.exchange.applied.last
  }
}

/** Verifies a request by the standard's own library, at its own time; undefined if it refuses it. */
function verified(secret: string, headers: Readonly<Record<string, string>>, body: string): unknown {
  const { now } = Date
  Date.now = () => Number(headers['webhook-timestamp']) * 1000
  try {
    return new Webhook(secret).verify(body, { ...headers })
  } catch {
    return undefined
  } finally {
    Date.now = now
  }
}

const typeOf = ({ body }: Received) => (JSON.parse(body) as { type: string }).type

t.test('what happens is sent in order, signed as the standard says', async t => {
  const stage = await Stage.open(t)
  const { test, receiver } = stage
  await stage.send()
  const { secret, endpoint } = await stage.create()
  t.match(secret, /^whsec_/)
  t.match(endpoint, { state: 'on', failures: 0 })
  const rain = await test.create({ title: 'वर्षा <b>?' })
  await test.playAll(['asha buy 10 @ 6', 'ben sell 10 @ 6'])
  await test.exchange.moveMarket(rain, 'halt')
  await stage.send()
  await test.exchange.moveMarket(rain, 'close')
  await test.exchange.resolveMarket(rain, { outcome: 'yes' })
  await stage.send()
  t.same(receiver.requests.map(typeOf), ['created', 'halted', 'awaiting_result', 'resolved'])
  for (const { id, headers, body } of receiver.requests) {
    t.match(id, /^evt_\d+_\d+$/)
    t.equal(Number(headers['webhook-timestamp']) * 1000, test.now)
    t.same(verified(secret, headers, body), JSON.parse(body))
  }
  const [created, halted, , resolved] = receiver.requests.map(({ body }) => JSON.parse(body))
  t.match(created, {
    type: 'created',
    timestamp: new Date(START).toISOString(),
    data: { event_id: '1000001', title: 'वर्षा <b>?', url: 'https://raay.example.org/market/1000001' },
  })
  t.match(halted.data, { event_id: '1000001', chance: 0.6 })
  t.match(resolved.data, { event_id: '1000001', outcome: 'yes' })
  await stage.send()
  t.equal(receiver.requests.length, 4, 'each once')
  const found = stage.webhooks.find(endpoint.stored.id)
  t.equal(found?.reached, stage.sequence)
  t.match(stage.webhooks.attempts(endpoint.stored.id)[0], { kind: 'resolved', status: 204, answer: '' })
})

t.test('an endpoint gets the kinds that it has asked for, from its creation on', async t => {
  const stage = await Stage.open(t)
  const { test, receiver } = stage
  const early = await test.create()
  const { endpoint } = await stage.create(['halted'])
  const { id } = endpoint.stored
  await test.create()
  await test.exchange.moveMarket(early, 'halt')
  await stage.send()
  t.same(receiver.requests.map(typeOf), ['halted'])
  await test.create()
  await stage.send()
  await stage.webhooks.edit(id, { events: ['created', 'halted'] }, BY)
  await stage.send()
  t.equal(receiver.requests.length, 1, 'nothing from before it asked')
  await stage.restart()
  await test.create()
  await stage.send()
  t.same(receiver.requests.map(typeOf), ['halted', 'created'])
})

t.test('a restart repeats nothing; a lost cursor repeats, and skips nothing', async t => {
  const stage = await Stage.open(t)
  await stage.create()
  for (let count = 0; count < 3; count++) await stage.test.create()
  await stage.send()
  const first = [...stage.sent]
  t.equal(first.length, 3)
  await stage.restart()
  await stage.test.create()
  await stage.send()
  t.equal(stage.sent.length, 4)
  await stage.restart(() => stage.loseCursors())
  await stage.test.create()
  await stage.send()
  const [last] = stage.sent.slice(-1)
  const again = stage.sent.slice(4)
  t.ok(again.length >= 2, 'some are repeated')
  t.same(new Set(stage.sent).size, 5)
  t.same(again.at(-1), last)
  t.same(again, [...stage.sent.slice(0, 4).slice(5 - again.length), last], 'in order, without a gap')
})

t.test('a cursor beyond the end of a restored journal is set back to it', async t => {
  const stage = await Stage.open(t)
  const { endpoint } = await stage.create()
  await stage.test.create()
  await stage.send()
  const { id } = endpoint.stored
  await stage.restart(() => {
    stage.site.webhooks.put(id, { sequence: stage.sequence + 50, position: 3, failures: 0, dueAt: 0 })
    stage.access.store.webhooks.mark(id, stage.sequence + 40)
  })
  t.equal(stage.access.store.webhooks.find(id)?.reached, stage.sequence)
  await stage.test.create()
  await stage.send()
  t.same(stage.receiver.requests.map(typeOf), ['created', 'created'])
})

t.test('a receiver that is down is tried later, with the same id, and everything follows', async t => {
  const stage = await Stage.open(t)
  const { test, receiver } = stage
  const { endpoint } = await stage.create()
  const { id } = endpoint.stored
  receiver.answer = (_, response) => response.writeHead(503).end('down: very-secret-path, also-secret')
  await test.create()
  await test.create()
  await stage.send()
  await stage.send()
  t.equal(receiver.requests.length, 1, 'not before it is due')
  t.match(stage.webhooks.find(id), { failures: 1 })
  t.match(stage.webhooks.attempts(id), [{ status: 503, answer: 'down: …, …' }])
  test.now += 7000
  receiver.answer = (_, response) => response.writeHead(200).end()
  await stage.send()
  const [first, second, third] = receiver.requests
  t.equal(second?.id, first?.id)
  t.equal(second?.body, first?.body)
  t.not(third?.id, first?.id)
  t.match(stage.webhooks.find(id), { failures: 0 })
})

t.test('410 disables an endpoint for good, which the journal says', async t => {
  const stage = await Stage.open(t)
  const { test, receiver } = stage
  const { endpoint } = await stage.create()
  const { id, fingerprint } = endpoint.stored
  receiver.answer = (_, response) => response.writeHead(410).end()
  await test.create()
  await stage.send()
  t.match(stage.webhooks.find(id), { state: 'gone' })
  await test.exchange.drain()
  const notes = test.journalled().filter(({ type }) => type.endsWith('_WEBHOOK'))
  t.match(notes, [
    { type: 'CREATE_WEBHOOK', webhook: id, fingerprint, by: { fields: { url: /^http:..127.0.0.1:\d+.…$/ } } },
    { type: 'DISABLE_WEBHOOK', webhook: id, fingerprint },
  ])
  t.match(stage.warnings, [{ webhook: id, reason: 'gone' }])
  t.notMatch(JSON.stringify([notes, stage.warnings]), /secret-path|also-secret|whsec_/)
  test.now += 100 * HOUR
  await stage.send()
  t.equal(receiver.requests.length, 1)
  receiver.answer = (_, response) => response.writeHead(204).end()
  await stage.webhooks.edit(id, { is_enabled: true }, BY)
  await stage.send()
  t.equal(receiver.requests.length, 2)
  t.match(stage.webhooks.find(id), { state: 'on', failures: 0 })
})

t.test('a replay sends everything from a batch on again, also if the cursor is lost afterwards', async t => {
  const stage = await Stage.open(t)
  const { endpoint } = await stage.create()
  const { id } = endpoint.stored
  for (let count = 0; count < 3; count++) {
    await stage.test.create()
    await stage.send()
    // By then it is noted that all before is received, which a replay must take back.
    stage.test.now += 2 * HOUR
  }
  const ids = stage.sent
  const from = Number(/evt_(\d+)/.exec(ids[1] ?? '')?.[1])
  t.equal(await stage.webhooks.replay(id, stage.sequence + 2, BY), 'unreached')
  t.equal(await stage.webhooks.replay('wh_none', 1, BY), undefined)
  await stage.webhooks.replay(id, from, BY)
  await stage.send()
  t.same(stage.sent, [...ids, ...ids.slice(1)])
  await stage.webhooks.replay(id, from, BY)
  await stage.restart(() => stage.loseCursors())
  await stage.send()
  t.same(stage.sent.slice(5), ids.slice(1))
})

t.test('requests are signed by both secrets for a day after a rotation', async t => {
  const stage = await Stage.open(t)
  const { test, receiver } = stage
  const { secret, endpoint } = await stage.create()
  const { id } = endpoint.stored
  const rotated = await stage.webhooks.rotate(id, BY)
  assert(rotated !== undefined && typeof rotated !== 'string', 'rotated')
  await test.create()
  await stage.send()
  test.now += 25 * HOUR
  await test.create()
  await stage.send()
  const [first, second] = receiver.requests
  const isVerified = (by: string, request: Received | undefined) =>
    verified(by, request?.headers ?? {}, request?.body ?? '') !== undefined
  t.same(
    [secret, rotated.secret].map(by => isVerified(by, first)),
    [true, true],
  )
  t.same(
    [secret, rotated.secret].map(by => isVerified(by, second)),
    [false, true],
  )
})

t.test('neither file nor journal has an address or a secret; without the key nothing is sent', async t => {
  const stage = await Stage.open(t)
  const { secret, endpoint } = await stage.create()
  const { id } = endpoint.stored
  await stage.webhooks.rotate(id, BY)
  await stage.test.create()
  await stage.send()
  const folder = dirname(stage.test.file)
  stage.access.store.file.checkpoint()
  for (const file of [
    'access.db',
    'access.db-wal',
    'site.db',
    'site.db-wal',
    'journal.db',
    'journal.db-wal',
    'raay.db',
  ]) {
    const bytes = readFileSync(join(folder, file)).toString('latin1')
    for (const hidden of ['very-secret-path', 'also-secret', secret, secret.slice(6)]) {
      t.notOk(bytes.includes(hidden), `${file} has no ${hidden.slice(0, 9)}`)
    }
  }
  const key = join(folder, 'webhook.key')
  t.equal(statSync(key).mode & 0o777, 0o600)
  await stage.restart(() => renameSync(key, `${key}.away`))
  t.match(stage.webhooks.find(id), { state: 'unreadable' })
  await stage.test.create()
  await stage.send()
  t.equal(stage.receiver.requests.length, 1)
  t.equal(stage.webhooks.test(id), 'webhook_unreadable')
  await stage.webhooks.edit(id, { url: stage.receiver.url }, BY)
  t.match(stage.webhooks.find(id), { state: 'unreadable' })
  await stage.webhooks.rotate(id, BY)
  await stage.send()
  t.equal(stage.receiver.requests.length, 2, 'with a new address and a new secret it goes on')
})

t.test('a test event is sent at once, and leaves the place of the endpoint alone', async t => {
  const stage = await Stage.open(t)
  const { endpoint } = await stage.create()
  const { id } = endpoint.stored
  await stage.webhooks.edit(id, { is_enabled: false }, BY)
  await stage.test.create()
  const [one, other] = await Promise.all([stage.webhooks.test(id), stage.webhooks.test(id)])
  t.equal(one, other, 'two who ask at once share it')
  t.match(one, { kind: 'test', status: 204, message: /^evt_test_/ })
  t.match(stage.webhooks.attempts(id), [{ kind: 'test' }])
  await stage.send()
  t.same(stage.receiver.requests.map(typeOf), ['test'])
  await stage.webhooks.edit(id, { is_enabled: true }, BY)
  await stage.send()
  t.same(stage.receiver.requests.map(typeOf), ['test', 'created'])
  await stage.webhooks.remove(id, BY)
  t.equal(stage.webhooks.test(id), undefined)
  await stage.test.create()
  await stage.send()
  t.equal(stage.receiver.requests.length, 2)
})

t.test('20 endpoints at most, also of those created at once; 100 attempts of each are kept', async t => {
  const stage = await Stage.open(t)
  const made = await Promise.all(
    Array.from({ length: 23 }, () =>
      stage.webhooks.create({ url: stage.receiver.url, events: ['created'] }, BY),
    ),
  )
  t.equal(made.filter(one => one === 'webhooks_full').length, 3)
  const [{ stored } = { stored: { id: '' } }] = stage.webhooks.all()
  for (let count = 0; count < 120; count++) await stage.webhooks.test(stored.id)
  t.equal(stage.webhooks.attempts(stored.id).length, 100)
})

t.test('the outcomes of a group are created, halted and resolved as one', async t => {
  const stage = await Stage.open(t)
  await stage.create()
  const { exchange } = stage.test
  const cup = await TestGroup.create(stage.test, 3)
  const { group } = cup
  await Promise.all(group.markets.map(market => exchange.moveMarket(market, 'halt')))
  await stage.send()
  t.same(stage.receiver.requests.map(typeOf), ['created', 'halted'])
  const [created, halted] = stage.receiver.requests.map(({ body }) => JSON.parse(body).data)
  t.same(created, { ...halted, title: 'Cup' })
  t.match(created, { group: String(group.terms.code), url: /[/]group[/]/ })
  for (const market of group.markets) await exchange.moveMarket(market, 'close')
  await cup.resolve('B')
  await stage.send()
  const closed = stage.receiver.requests.map(typeOf).filter(type => type === 'awaiting_result')
  t.equal(closed.length, 3, 'those that close one after another are sent one after another')
  t.match(JSON.parse(stage.receiver.requests.at(-1)?.body ?? ''), {
    type: 'resolved',
    data: { title: 'Cup', outcome: 'yes', winner: 'B' },
  })
})

t.test(
  'a chat that is down for a day gets everything in order afterwards; nothing is kept for it twice',
  async t => {
    const stage = await Stage.open(t)
    const { test, receiver } = stage
    const { endpoint } = await stage.create(['created', 'moved', 'closing_soon'])
    const { id } = endpoint.stored
    const end = START + 60 * HOUR
    await test.create({ endAt: end })
    await test.playAll(['asha buy 10 @ 5', 'ben sell 10 @ 5'])
    await stage.send()
    t.same(receiver.requests.map(typeOf), ['created'])
    receiver.answer = (_, response) => response.writeHead(502).end()
    for (let hour = 0; hour < 24; hour++) {
      test.now += HOUR
      const price = hour % 2 === 0 ? 8 : 3
      await test.playAll([`asha buy 1 @ ${price}`, `ben sell 1 @ ${price}`])
      if (hour % 6 === 0) await test.create({ endAt: end })
      await stage.send()
    }
    const attempts = receiver.requests.length - 1
    t.ok(attempts >= 6 && attempts <= 8, `${attempts} attempts in a day`)
    t.equal(new Set(receiver.requests.slice(1).map(request => request.id)).size, 1)
    receiver.requests.length = 0
    receiver.answer = (_, response) => response.writeHead(204).end()
    test.now += 24 * HOUR
    await stage.send()
    const types = receiver.requests.map(typeOf)
    t.equal(types.filter(type => type === 'created').length, 4)
    t.ok(types.filter(type => type === 'moved').length >= 12, 'each hour at most')
    const places = receiver.requests.map(request => request.id.split('_').slice(1).map(Number))
    const inOrder = [...places].sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d)
    t.same(places, inOrder)
    t.equal(new Set(receiver.requests.map(request => request.id)).size, places.length)
    const moved = receiver.requests.map(({ body }) => JSON.parse(body)).find(({ type }) => type === 'moved')
    t.match(moved?.data, { event_id: '1000001', title: 'Rain' })
    t.ok(Math.abs(moved?.data.change) >= 0.1)
    test.now = end - HOUR / 2
    await stage.restart()
    await stage.send()
    t.ok(receiver.requests.map(typeOf).includes('closing_soon'))
    t.equal(stage.webhooks.find(id)?.failures, 0)
  },
)
