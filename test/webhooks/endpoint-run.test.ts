import t from 'tap'
import { retryAfter, waitAfter } from '../../src/webhooks/attempts.js'
import type { Cursor, DeliveryRecord, EndpointState, Message } from '../../src/webhooks/endpoint-run.js'
import { EndpointRun } from '../../src/webhooks/endpoint-run.js'
import type { Attempt } from '../../src/webhooks/sending.js'
import { newWebhookSecret } from '../../src/webhooks/webhook-secret.js'

const MESSAGES: readonly Message[] = [
  { sequence: 3, index: 0, kind: 'created', body: '"a"' },
  { sequence: 3, index: 1, kind: 'created', body: '"b"' },
  { sequence: 9, index: 0, kind: 'created', body: '"c"' },
]
const IDS = ['evt_3_0', 'evt_3_1', 'evt_9_0']
const answered = (status: number, retryAfter?: string): Attempt => ({ status, retryAfter, answer: '' })

class Stage {
  now = 1_000_000
  state: EndpointState = {
    url: 'https://hooks.example.org/x',
    secrets: [newWebhookSecret()],
    cursor: { sequence: 0, index: 0 },
    failures: 0,
    dueAt: 0,
    disabled: undefined,
  }
  readonly sent: string[] = []
  readonly records: DeliveryRecord[] = []
  /** Called before the state is written; may throw, as if the process ended before. */
  commit: () => void = () => undefined
  answer: () => Attempt | Promise<Attempt> = () => answered(200)
  readonly run = this.start()

  start(): EndpointRun {
    return new EndpointRun({
      read: () => this.state,
      write: (state, record) => {
        this.commit()
        this.state = state
        this.records.push(record)
      },
      next: async after => MESSAGES.find(message => isBehind(message, after)),
      send: async ({ headers }) => {
        this.sent.push(headers['webhook-id'] ?? '')
        return this.answer()
      },
      now: () => this.now,
      random: () => 0.5,
    })
  }

  async drain(run = this.run): Promise<void> {
    while (await run.step());
  }
}

const isBehind = (a: Cursor, b: Cursor) =>
  a.sequence > b.sequence || (a.sequence === b.sequence && a.index > b.index)

t.test('messages are sent in the order of the journal, each once', async t => {
  const stage = new Stage()
  await stage.drain()
  t.same(stage.sent, IDS)
  t.same(stage.state.cursor, { sequence: 9, index: 0 })
})

t.test('a process that ends between the answer and the cursor repeats the id, and skips none', async t => {
  for (const failing of [0, 1, 2]) {
    const stage = new Stage()
    stage.commit = () => {
      if (stage.sent.length === failing + 1) throw new Error('killed')
    }
    await t.rejects(stage.drain(), { message: 'killed' })
    await stage.drain(stage.start())
    t.same(stage.sent, [...IDS.slice(0, failing + 1), ...IDS.slice(failing)])
  }
})

t.test('one request is in flight', async t => {
  const stage = new Stage()
  let finish: (attempt: Attempt) => void = () => undefined
  stage.answer = () => new Promise<Attempt>(resolve => (finish = resolve))
  const first = stage.run.step()
  await new Promise(setImmediate)
  t.equal(await stage.run.step(), false)
  finish(answered(200))
  t.equal(await first, true)
  t.same(stage.sent, ['evt_3_0'])
})

t.test('a receiver that is down gets ten attempts at the first message, and is then disabled', async t => {
  const stage = new Stage()
  stage.answer = () => ({ fault: 'ECONNREFUSED' })
  const waits: number[] = []
  while (stage.state.disabled === undefined) {
    await stage.run.step()
    if (stage.state.disabled !== undefined) break
    const wait = stage.state.dueAt - stage.now
    waits.push(wait)
    stage.now += wait - 1
    t.equal(await stage.run.step(), false, 'not before')
    stage.now += 1
  }
  const H = 3_600_000
  t.same(waits, [5000, 300_000, 1_800_000, 2 * H, 5 * H, 10 * H, 14 * H, 20 * H, 24 * H])
  t.same(stage.sent, Array(10).fill('evt_3_0'))
  t.match(stage.state, { disabled: 'failing', cursor: { sequence: 0, index: 0 } })
  stage.state = { ...stage.state, disabled: undefined, failures: 0, dueAt: 0 }
  stage.answer = () => answered(204)
  await stage.drain()
  t.same(stage.sent.slice(10), IDS, 'once enabled, all follow in order')
})

t.test('a message that is received after failures ends them', async t => {
  const stage = new Stage()
  stage.answer = () => answered(500)
  await stage.run.step()
  stage.now = stage.state.dueAt
  stage.answer = () => answered(200)
  await stage.run.step()
  t.match(stage.state, { failures: 0, dueAt: 0, cursor: { sequence: 3, index: 0 } })
})

t.test('3xx and 4xx fail, 410 disables, and Retry-After delays', async t => {
  for (const status of [301, 304, 400, 404, 429, 500]) {
    const stage = new Stage()
    stage.answer = () => answered(status)
    await stage.drain()
    t.match(stage.state, { failures: 1, dueAt: stage.now + 5000, cursor: { sequence: 0 } }, `${status}`)
  }
  const gone = new Stage()
  gone.answer = () => answered(410)
  await gone.drain()
  t.match(gone.state, { disabled: 'gone', cursor: { sequence: 0 } })
  const slow = new Stage()
  slow.answer = () => answered(503, '120')
  await slow.drain()
  t.equal(slow.state.dueAt, slow.now + 120_000)
})

t.test('an endpoint that was replayed or disabled during a request stays so', async t => {
  const replayed = new Stage()
  replayed.state = { ...replayed.state, cursor: { sequence: 3, index: 1 } }
  replayed.answer = () => {
    replayed.state = { ...replayed.state, cursor: { sequence: 0, index: 0 } }
    return answered(200)
  }
  await replayed.run.step()
  t.same(replayed.state.cursor, { sequence: 0, index: 0 })
  t.match(replayed.records, [{ message: 'evt_9_0' }])
  const disabled = new Stage()
  disabled.answer = () => {
    disabled.state = { ...disabled.state, disabled: 'operator' }
    return answered(200)
  }
  await disabled.drain()
  t.match(disabled.state, { disabled: 'operator', cursor: { sequence: 3, index: 0 } })
  t.equal(disabled.sent.length, 1)
})

t.test('a wait is spread by a fifth, and what a receiver asks for is bounded', async t => {
  t.equal(waitAfter(1, 0), 4000)
  t.equal(waitAfter(1, 1), 6000)
  t.equal(waitAfter(10, 0.5), undefined)
  t.equal(waitAfter(1, 0.5, Number.POSITIVE_INFINITY), 24 * 3_600_000)
  t.equal(waitAfter(9, 0.5, 1000), 24 * 3_600_000, 'it makes no wait shorter')
  t.equal(retryAfter('7', 0), 7000)
  t.equal(retryAfter('Thu, 01 Jan 1970 00:01:00 GMT', 10_000), 50_000)
  t.equal(retryAfter('Thu, 01 Jan 1970 00:01:00 GMT', 90_000), 0)
  t.equal(retryAfter('soon', 0), undefined)
  t.equal(retryAfter(undefined, 0), undefined)
})
