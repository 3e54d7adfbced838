import t from 'tap'
import type { Fill, Order, Settlement, UserMessage } from '../../src/client/shapes.js'
import type { Socket } from '../../src/web/trade/notices/missed-messages.js'
import { readMissed } from '../../src/web/trade/notices/missed-messages.js'
import type { Notice } from '../../src/web/trade/notices/notice.js'
import { groupOf } from '../../src/web/trade/notices/notice.js'
import { NoticeFeed } from '../../src/web/trade/notices/notice-feed.js'
import type { NoticeLog } from '../../src/web/trade/notices/notice-log.js'
import {
  addBetween,
  addTo,
  emptyLog,
  isOverwritten,
  joined,
  readLog,
  seenAll,
  unseenIn,
} from '../../src/web/trade/notices/notice-log.js'
import { newMentions } from '../../src/web/trade/notices/new-mentions.js'
import { NoticeMaker } from '../../src/web/trade/notices/notice-maker.js'
import { noticeText } from '../../src/web/trade/notices/notice-text.js'
import { changesIn } from '../../src/web/trade/notices/status-changes.js'
import { waysIn } from '../../src/web/trade/notices/stored-settings.js'
import { withoutToast, withToast } from '../../src/web/trade/notices/toast-row.js'

const EVENT = '1000001'
const AT = Date.parse('2026-11-22T10:00:00.000Z')
const EARLIER = new Date(AT - 60_000).toISOString()
const NOW = new Date(AT).toISOString()

/** An order to buy 10 YES at ₹6 that had been resting for a minute. */
const order = (changes: Partial<Order> = {}): Order =>
  ({
    id: `${EVENT}-1-a`,
    event_id: EVENT,
    offer_type: 'buy',
    outcome: 'yes',
    price: 6,
    quantity: 10,
    state: 'resting',
    reason: null,
    filled_quantity: 0,
    remaining_quantity: 10,
    average_price: null,
    client_order_id: null,
    createdAt: EARLIER,
    updatedAt: NOW,
    ...changes,
  }) as Order
const fill = (qty: number, changes: Partial<Fill> = {}): Fill =>
  ({
    tradeId: `${EVENT}-1`,
    event_id: EVENT,
    order_id: `${EVENT}-1-a`,
    side: 'yes',
    outcome: 'yes',
    price: 6,
    qty,
    amount: -6 * qty,
    ...changes,
  }) as Fill
const held = (yes: number) => ({ event_id: EVENT, yes, no: 0, yes_locked: 0, no_locked: 0 })
const settlement: Settlement = {
  ...{ event_id: EVENT, outcome: 'yes', yes: 10, no: 0 },
  ...{ paid: 60, payment: 100, result: 40, settledAt: NOW },
} as const

type Body = UserMessage extends infer M ? (M extends unknown ? Omit<M, 'user_seq' | 'ts'> : never) : never

/** Returns what a page with one order of its own says of messages. */
async function noticesOf(
  bodies: readonly Body[],
  known: Settlement | undefined = undefined,
): Promise<Notice[]> {
  const maker = new NoticeMaker({
    isOwn: ({ client_order_id }) => client_order_id === 'mine',
    payoutOf: async () => 10,
    settlementOf: async () => known,
  })
  const all: Notice[] = []
  for (const [place, body] of bodies.entries())
    all.push(...(await maker.take({ ...body, user_seq: place + 1, ts: AT } as UserMessage)))
  return all
}

const texts = async (...about: Parameters<typeof noticesOf>) =>
  (await noticesOf(about[0], about[1])).map(noticeText)

t.test('says when a resting order fills, whole or in part', async t => {
  const part = order({ state: 'partially_filled', filled_quantity: 4, remaining_quantity: 6 })
  t.same(
    await texts([
      { type: 'fill', fill: fill(4) },
      { type: 'order', order: part },
    ]),
    ['Order partly filled. Bought 4 YES at ₹6.00; 6 still to fill.'],
  )
  const whole = order({ state: 'filled', filled_quantity: 10, remaining_quantity: 0 })
  t.same(
    await texts([
      { type: 'fill', fill: fill(2) },
      { type: 'fill', fill: fill(4) },
      { type: 'order', order: whole },
    ]),
    ['Order filled. Bought 6 YES at ₹6.00.'],
    'fills of one moment are one notice',
  )
})

t.test('does not repeat what the ticket of this page has shown', async t => {
  const placed = { client_order_id: 'mine', createdAt: NOW }
  const filled = order({ ...placed, state: 'filled', filled_quantity: 10, remaining_quantity: 0 })
  t.same(
    await texts([
      { type: 'fill', fill: fill(10) },
      { type: 'order', order: filled },
    ]),
    [],
  )
  t.same(
    await texts([
      { type: 'order', order: order({ ...placed, state: 'rejected', reason: 'funds_insufficient' }) },
    ]),
    [],
  )
  t.same(
    await texts([{ type: 'order', order: order({ ...placed, state: 'cancelled', reason: 'no_liquidity' }) }]),
    [],
  )
  const later = order({
    client_order_id: 'mine',
    state: 'filled',
    filled_quantity: 10,
    remaining_quantity: 0,
  })
  t.equal(
    (
      await texts([
        { type: 'fill', fill: fill(10) },
        { type: 'order', order: later },
      ])
    ).length,
    1,
  )
})

t.test('says what happened to orders placed elsewhere', async t => {
  const rejected = order({ createdAt: NOW, state: 'rejected', reason: 'funds_insufficient' })
  t.same(await texts([{ type: 'order', order: rejected }]), [
    'Your order to buy 10 YES at ₹6.00 was rejected. Insufficient balance.',
  ])
})

t.test('says when an order is cancelled by others, and not by its user', async t => {
  const ended = (state: Order['state'], reason: string) => ({
    type: 'order' as const,
    order: order({ state, reason } as never),
  })
  t.same(await texts([ended('cancelled', 'market_closed')]), [
    'Your order to buy 10 YES at ₹6.00 was cancelled. Trading has closed.',
  ])
  t.same(await texts([ended('expired', 'order_expired')]), ['Your order to buy 10 YES at ₹6.00 expired.'])
  t.same(await texts([ended('cancelled', 'user_cancelled')]), [])
  t.same(await texts([ended('cancelled', 'order_replaced')]), [])
  t.same(await texts([{ type: 'order', order: order() }]), [], 'nor when one is merely placed')
})

t.test('says what a market paid, and takes no sale for a result', async t => {
  const gone = { type: 'position', position: held(0) } as const
  t.same(await texts([gone], settlement), [
    // Joined, since lines break between a plus and ₹.
    'Resolved: YES. You received ₹100.00 (P&L +\u2060₹40.00).',
  ])
  t.same(await texts([gone], { ...settlement, outcome: 'void', payment: 60 }), [
    'Voided: all trades were reversed. You received ₹60.00.',
  ])
  t.same(await texts([gone], undefined), [], 'sold out, or pairs redeemed')
  t.same(await texts([gone], { ...settlement, settledAt: EARLIER }), [], 'sold before the event ended')
  t.same(await texts([{ type: 'position', position: held(3) }], settlement), [])
})

const notice = (seq: number): Notice => ({ seq, at: AT, eventId: EVENT, kind: 'filled', deals: [], left: 0 })

t.test('the list is bounded, counts what is new, and takes no message twice', async t => {
  let log = emptyLog(7)
  t.equal(unseenIn(log), 0)
  log = addTo(log, 8, [notice(8)])
  log = addTo(log, 8, [notice(8)])
  t.equal(unseenIn(log), 1)
  log = addTo(seenAll(log), 12, [notice(10), notice(12)])
  t.same(
    log.notices.map(({ seq }) => seq),
    [12, 10, 8],
  )
  t.equal(unseenIn(log), 2)
  for (let seq = 13; seq < 200; seq++) log = addTo(log, seq, [notice(seq)])
  t.equal(log.notices.length, 50)
  t.equal(log.notices[0]?.seq, 199)
})

t.test('two tabs share what was seen, and neither loses what the other knows', async t => {
  const first = addTo(emptyLog(1), 5, [notice(5)])
  const second = seenAll(addTo(first, 6, [notice(6)]))
  t.same(joined(first, second), second)
  t.same(joined(second, first), second)
  t.same(joined(first, undefined), first)
  const news = { kind: 'status', eventId: EVENT, status: 'halted' } as const
  const [told] = addBetween(second, AT, news)
  const [mentioned] = addBetween(second, AT, { ...news, kind: 'mentioned', by: 'ben', text: 'Rain?' })
  const kinds = (log: NoticeLog) => log.notices.map(({ kind }) => kind)
  t.same(kinds(joined(second, told)), ['status', 'filled', 'filled'], 'news without a message')
  t.same(kinds(joined(told, second)), ['status', 'filled', 'filled'])
  t.same(kinds(joined(told, mentioned)).sort(), ['filled', 'filled', 'mentioned', 'status'])
  t.equal(unseenIn(joined(second, told)), 1)
  t.ok(isOverwritten(told, second))
  t.notOk(isOverwritten(joined(told, mentioned), joined(mentioned, told)), 'the order of a moment is no loss')
  t.notOk(isOverwritten(told, emptyLog(2)), 'an exchange that was restored counts from an earlier number')
  const many = addTo(
    emptyLog(60),
    109,
    Array.from({ length: 49 }, (_, index) => notice(61 + index)),
  )
  const full = (kind: 'status' | 'mentioned') => {
    const [{ notices }] = addBetween(emptyLog(60), AT, { kind, eventId: EVENT })
    return joined(many, { ...many, notices })
  }
  t.equal(full('status').notices.length, 50)
  t.same(
    joined(full('status'), full('mentioned')),
    joined(full('mentioned'), full('status')),
    'one of two at the end',
  )
  const ahead = addTo(second, 9, [notice(9)])
  t.same(kinds(joined(told, ahead)), ['filled', 'status', 'filled', 'filled'], 'by a tab that is behind')
  t.same(readLog(JSON.stringify(second)), second)
  for (const text of [undefined, null, '', '{', '{}', '[]', '{"seq":"1","seenSeq":1,"notices":[]}'])
    t.equal(readLog(text), undefined)
})

t.test('at most three toasts are shown; others are counted', async t => {
  let toasts = { shown: [] as readonly Notice[], more: 0 }
  for (let seq = 1; seq <= 5; seq++) toasts = withToast(toasts, notice(seq))
  t.same(
    toasts.shown.map(({ seq }) => seq),
    [3, 4, 5],
  )
  t.equal(toasts.more, 2)
  for (const { seq } of toasts.shown) toasts = withoutToast(toasts, seq)
  t.same(toasts, { shown: [], more: 0 })
})

t.test('sounds and browser notifications are off until chosen, and odd settings change nothing', async t => {
  t.same(waysIn(undefined), { browser: false, sound: false })
  t.same(waysIn('{"sound":true,"browser":"yes","fills":false}'), { browser: false, sound: true })
  t.same(waysIn('nonsense'), { browser: false, sound: false })
})

/** A socket whose exchange sends the given messages once it is asked. */
function socketWith(messages: readonly object[], sent: unknown[]): Socket {
  const socket: Socket = {
    ...{ onopen: null, onmessage: null, onclose: null, onerror: null },
    send: text => {
      sent.push(JSON.parse(text))
      for (const message of messages) socket.onmessage?.({ data: JSON.stringify(message) })
      socket.onclose?.()
    },
    close: () => sent.push('closed'),
  }
  queueMicrotask(() => socket.onopen?.())
  return socket
}

const told = (user_seq: number) => ({ event: 'user_asha', data: { type: 'balance', user_seq, ts: 0 } })

t.test('reads what was missed in order, exactly once, and ends with the last one wanted', async t => {
  const wanted = { userid: 'asha', after: 4, upTo: 6 }
  const read = async (messages: readonly object[]) => {
    const sent: unknown[] = []
    const taken: number[] = []
    const last = await readMissed(
      () => socketWith(messages, sent),
      wanted,
      ({ user_seq }) => taken.push(user_seq),
    )
    return { last, taken, sent }
  }
  const whole = await read([{ event: 'subscribed', data: 'asha' }, told(5), told(6), told(7)])
  t.match(whole, { last: 6, taken: [5, 6] })
  t.same(whole.sent[0], { event: 'subscribe_user', data: 'asha', from_seq: 4 })
  t.ok(whole.sent.includes('closed'))
  t.match(await read([told(5)]), { last: 5, taken: [5] }, 'a broken connection: the rest is read later')
  t.match(await read([told(6)]), { last: 4, taken: [] }, 'nothing is taken past a gap')
  t.match(await read([told(5), told(5), told(6)]), { last: 5, taken: [5] })
  t.match(await read([{ event: 'error', data: { code: 401 } }]), { last: 4, taken: [] })
})

const message = (body: object, user_seq: number) => ({ ...body, user_seq, ts: AT }) as unknown as UserMessage

/** A browser on an exchange that has sent some messages; each `part` is one read of what was missed. */
function browserOf(all: readonly object[], stored: NoticeLog | undefined, partMax = 100) {
  const world = { stored, announced: [] as number[], reads: [] as string[], pauses: 0 }
  const maker = new NoticeMaker({
    isOwn: () => false,
    payoutOf: async () => 10,
    settlementOf: async () => undefined,
  })
  const feed = new NoticeFeed({
    maker,
    load: () => world.stored,
    store: log => {
      world.stored = log
    },
    announce: ({ seq }) => world.announced.push(seq),
    readMissed: async (after, upTo) => {
      world.reads.push(`${after}-${upTo}`)
      const wanted = all.slice(after, Math.min(upTo, after + partMax))
      return wanted.map((body, place) => message(body, after + place + 1))
    },
    pause: async () => {
      world.pauses++
      if (world.pauses > 3) feed.close()
    },
  })
  const seen = () => world.stored?.notices.map(({ seq }) => seq)
  return { world, feed, seen }
}

const turn = () => new Promise(resolve => setImmediate(resolve))
const filledOrder = order({ state: 'filled', filled_quantity: 10, remaining_quantity: 0 })
const pairOf = [
  { type: 'fill', fill: fill(10) },
  { type: 'order', order: filledOrder },
]

t.test('a first visit begins with what happens next', async t => {
  const { world, feed, seen } = browserOf([...pairOf, ...pairOf], undefined)
  feed.hear(message({ type: 'snapshot' }, 2))
  await turn()
  t.same(world.reads, [])
  for (const [place, body] of pairOf.entries()) feed.hear(message(body, 3 + place))
  await turn()
  t.same(seen(), [4])
  t.same(world.announced, [4])
})

t.test('a notification that throws ends no later notice', async t => {
  const { world, feed, seen } = browserOf([], undefined)
  world.announced.push = () => {
    throw new TypeError('Illegal constructor')
  }
  feed.hear(message({ type: 'snapshot' }, 0))
  for (const [place, body] of [...pairOf, ...pairOf].entries()) {
    feed.hear(message(body, 1 + place))
    await turn()
  }
  t.same(seen(), [4, 2])
})

t.test('a later visit reads what it missed, in parts, beside what arrives meanwhile, each once', async t => {
  const all = [...pairOf, ...pairOf, ...pairOf, ...pairOf]
  const { world, feed, seen } = browserOf(all, { seq: 2, seenSeq: 2, notices: [] }, 1)
  feed.begin(6)
  feed.hear(message(all[6] as object, 7))
  feed.hear(message(all[7] as object, 8))
  for (let turns = 0; turns < 20; turns++) await turn()
  t.same(seen(), [8, 6, 4])
  t.same(world.announced, [8], 'missed ones stand in the list, without a toast')
  t.match(world.stored, { seq: 8, seenSeq: 2 })
  feed.begin(8)
  await turn()
  t.same(seen(), [8, 6, 4], 'a reconnect adds nothing')
})

t.test('a page that ended between a fill and its order begins with the fill again', async t => {
  const { world, feed } = browserOf(pairOf, { seq: 0, seenSeq: 0, notices: [] }, 1)
  feed.begin(0)
  feed.hear(message(pairOf[0] as object, 1))
  await turn()
  t.match(world.stored, { seq: 0 })
  const later = browserOf(pairOf, world.stored)
  later.feed.begin(2)
  await turn()
  t.same(later.seen(), [2])
})

t.test(
  'forgets its place on an exchange that was restored, and does not hammer one that is silent',
  async t => {
    const restored = browserOf([], { seq: 90, seenSeq: 80, notices: [notice(90)] })
    restored.feed.begin(5)
    await turn()
    t.match(restored.world.stored, { seq: 5, notices: [] })
    const silent = browserOf([], { seq: 1, seenSeq: 1, notices: [] })
    silent.feed.begin(5)
    for (let turns = 0; turns < 20; turns++) await turn()
    t.equal(
      silent.world.pauses,
      silent.world.reads.length,
      'each read without an answer is followed by a pause',
    )
    const long = browserOf([], { seq: 1, seenSeq: 1, notices: [] })
    long.feed.begin(10_000)
    t.same(long.world.reads, ['8000-10000'], 'after a long absence the newest 2,000 are read')
    long.feed.close()
  },
)

t.test(
  'holders learn that a market halts, resumes or closes, once, and nothing of what was so before',
  async t => {
    t.same(changesIn({}, { a: 'halted' }), [], 'a market that is new has not changed')
    t.same(changesIn({ a: 'open', b: 'open', c: 'halted' }, { a: 'halted', b: 'closed', c: 'open' }), [
      { eventId: 'a', status: 'halted' },
      { eventId: 'b', status: 'closed' },
      { eventId: 'c', status: 'open' },
    ])
    t.same(changesIn({ a: 'closed' }, { a: 'settled' }), [], 'a result has a notice of its own')
    t.same(changesIn({ a: 'scheduled' }, { a: 'open' }), [])
  },
)

t.test('news that no message brought is new until it is seen, and no message after it is lost', async t => {
  const news = { kind: 'status', eventId: '1000001', status: 'halted' } as const
  const [once, first] = addBetween(emptyLog(7), 1, news)
  const [twice, second] = addBetween(once, 2, news)
  t.equal(unseenIn(twice), 2)
  t.not(first.seq, second.seq)
  t.equal(noticeText(second), 'Trading is halted in a market where you hold contracts.')
  const seen = seenAll(twice)
  t.equal(unseenIn(seen), 0)
  const next = addTo(seen, 8, [{ ...second, seq: 8 }])
  t.equal(unseenIn(next), 1, 'the next message is new')
})

t.test(
  'a mention is shown once, in the order of the comments, and none of those that a new browser finds',
  t => {
    const found = [{ id: 9 }, { id: 7 }, { id: 4 }]
    t.same(newMentions(found, undefined), [])
    t.same(newMentions(found, 'broken'), [])
    t.same(newMentions(found, '4'), [{ id: 7 }, { id: 9 }])
    t.same(newMentions(found, '9'), [])
    t.same(newMentions(found, '0'), [{ id: 4 }, { id: 7 }, { id: 9 }], 'the first that this user ever got')
    const notice = {
      seq: 1,
      at: AT,
      eventId: EVENT,
      kind: 'mentioned',
      by: 'asha',
      text: '@ben, rain?',
    } as const
    t.equal(noticeText(notice), 'asha mentioned you in a comment: “@ben, rain?”')
    t.equal(groupOf(notice), 'mentions')
    t.end()
  },
)
