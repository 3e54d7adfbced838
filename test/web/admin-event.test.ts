import t from 'tap'
import { EVENT_DEFAULTS } from '../../src/api/events/event-defaults.js'
import type { Market } from '../../src/client/shapes.js'
import { readBulk } from '../../src/web/admin/events/bulk/bulk-rows.js'
import { copyOf } from '../../src/web/admin/events/event-copy.js'
import { draftOf, newDraft } from '../../src/web/admin/events/event-draft.js'
import { editOf, requestOf } from '../../src/web/admin/events/event-request.js'
import { termSentences } from '../../src/web/admin/events/event-terms.js'
import { addressOf, choiceIn, FIRST_CHOICE } from '../../src/web/admin/events/list/choice-address.js'
import { chooseEvents, countGroups } from '../../src/web/admin/events/list/event-choice.js'
import { EVENT_SHEET } from '../../src/web/admin/events/list/event-columns.js'
import { momentIn, writtenMoment } from '../../src/web/admin/events/moment-input.js'
import { restingValue } from '../../src/web/admin/events/resting-value.js'
import { filledIn, withPlaceholders } from '../../src/web/admin/events/templates/placeholders.js'
import { scheduleDraft, scheduleIn, upcoming } from '../../src/web/admin/events/templates/schedule-draft.js'
import { standingText, troubleText } from '../../src/web/admin/events/templates/schedule-words.js'
import { draftFrom, templateOf } from '../../src/web/admin/events/templates/template-draft.js'
import { numberIn, writtenNumber } from '../../src/web/admin/number-input.js'
import { csvFile } from '../../src/api/csv-file.js'

const NOW = Date.UTC(2026, 10, 21, 12, 30, 45, 678)
const MARKET: Market = {
  id: 'aaaaaaaaaaaaaaaa',
  event_id: '1000001',
  title: 'Will it rain?',
  slug: 'will-it-rain',
  description: 'By IMD.',
  start_date: '2026-11-21T12:30:45.678Z',
  end_date: '2026-11-28T12:30:45.678Z',
  createdAt: '2026-11-21T12:00:00.000Z',
  min_bet: 0.5,
  max_bet: 100_000,
  sot: 'weather',
  category: null,
  image: null,
  traders: 0,
  quantity: 1_000_000.25,
  status: 'open',
  payout: 10,
  tick_size: 0.05,
  outcome: null,
  source_url: null,
  note: null,
  resolvedAt: null,
  last_price: null,
  best_bid: null,
  best_ask: null,
  volume: 0,
  volume_24h: 0,
  change_24h: null,
  open_interest: 0,
}

t.test('parses numbers as people type them, and nothing else', async t => {
  for (const [text, value] of [
    ['1,00,000.5', 100_000.5],
    [' ₹ 12 ', 12],
    ['.5', 0.5],
    ['7.', 7],
  ] as const) {
    t.equal(numberIn(text), value, text)
  }
  for (const text of ['', '-5', '1e9', '0x10', 'ten', '1.2.3', 'Infinity']) {
    t.equal(numberIn(text), undefined, text)
  }
  t.equal(numberIn(writtenNumber(1_234_567.25)), 1_234_567.25)
})

t.test('parses and formats a date and time in the time zone of the instance', async t => {
  const moment = momentIn(writtenMoment(NOW))
  t.equal(moment, '2026-11-21T12:30:00.000Z', 'to the minute')
  t.equal(writtenMoment(NOW), '2026-11-21T18:00', 'in India')
  t.equal(momentIn('2026-11-21T00:15'), '2026-11-20T18:45:00.000Z')
  for (const text of ['', 'tomorrow', '2026-13-01T00:00', '2026-11-21'])
    t.equal(momentIn(text), undefined, text)
})

t.test('a new draft is complete except for its texts, and ends in a week', async t => {
  const draft = newDraft(NOW)
  t.same(requestOf(draft), {
    field: 'title',
    words: 'Enter a question, for example “Will it rain in Mumbai on Sunday?”',
  })
  const request = requestOf({ ...draft, title: ' Will it rain? ', description: 'By IMD.' })
  t.match(requestOf({ ...draft, title: 'Will it rain?' }), {
    field: 'description',
    words: 'Say when it resolves YES, when NO and when it is void.',
  })
  t.match(request, EVENT_DEFAULTS)
  t.match(request, { title: 'Will it rain?', min_bet: 1, max_bet: 10_000, quantity: 100_000, payout: 10 })
  t.match(request, { start_date: '2026-11-21T12:30:00.000Z', end_date: '2026-11-28T12:30:00.000Z' })
})

t.test('names the first invalid field, with an example', async t => {
  const draft = { ...newDraft(NOW), title: 'x', description: 'y' }
  for (const field of ['start_date', 'end_date', 'min_bet', 'max_bet', 'quantity', 'payout'] as const) {
    const fault = requestOf({ ...draft, [field]: 'soon' })
    t.match(fault, { field, words: /^(?:Enter|Choose) / }, field)
  }
})

t.test('an edit sends only changed fields, and keeps the seconds of a date', async t => {
  const before = draftOf(MARKET)
  t.same(editOf(before, before), {}, 'nothing')
  t.same(editOf(before, { ...before, title: 'Will it pour?', max_bet: '2,00,000' }), {
    title: 'Will it pour?',
    max_bet: 200_000,
  })
  t.same(editOf(before, { ...before, max_bet: '' }), {
    field: 'max_bet',
    words: 'Enter an amount in rupees, for example 10,000.',
  })
  t.match(editOf(before, { ...before, description: ' ' }), { field: 'description' }, 'rules stay')
  t.same(
    editOf({ ...before, description: '' }, { ...before, description: '' }),
    {},
    'even if the API left them out',
  )
})

t.test('explains an event in sentences, with its known details', async t => {
  const sentences = termSentences({ ...newDraft(NOW), end_date: '', max_bet: 'x' }, NOW)
  t.same(sentences, [
    'Trading opens immediately.',
    'YES + NO = ₹10.00, the payout of the winning contract; ' +
      'prices go from ₹0.10 to ₹9.90 in steps of ₹0.01.',
    'Open interest is capped at 1,00,000 contracts of each outcome, ₹10,00,000.00 in escrow.',
  ])
  const past = termSentences({ ...newDraft(NOW), end_date: writtenMoment(NOW - 86_400_000) }, NOW)
  t.match(past[1], /cannot be traded/)
})

t.test('lists events that await the operator first, and ended ones last', async t => {
  const at = (event_id: string, status: Market['status'], end = '2026-11-28') => {
    return { ...MARKET, event_id, status, end_date: `${end}T00:00:00.000Z` }
  }
  const markets = [
    at('1000001', 'settled', '2026-11-01'),
    at('1000002', 'open', '2026-12-09'),
    at('1000003', 'closed'),
    at('1000004', 'open', '2026-12-01'),
    at('1000005', 'halted'),
    at('1000006', 'voided', '2026-11-09'),
    at('1000007', 'scheduled'),
  ]
  const codes = (found: readonly Market[]) => found.map(({ event_id }) => event_id.slice(-1)).join('')
  t.equal(codes(chooseEvents(markets, FIRST_CHOICE)), '3542761')
  t.equal(codes(chooseEvents(markets, { ...FIRST_CHOICE, group: 'trading' })), '542')
  t.equal(
    codes(chooseEvents(markets, { ...FIRST_CHOICE, query: 'RAIN weather 007' })),
    '7',
    'all words, in title, code or source',
  )
  t.equal(codes(chooseEvents(markets, { ...FIRST_CHOICE, group: 'over', query: 'snow' })), '')
  t.same(countGroups(markets), { all: 7, waiting: 1, trading: 3, scheduled: 1, over: 2 })
})

t.test('sorts the list by any column, both ways, and remembers it in the address', async t => {
  const markets = [
    { ...MARKET, event_id: '1', title: 'b', volume: 5, open_interest: 2, payout: 100, category: 'Sky' },
    { ...MARKET, event_id: '2', title: 'A', volume: 9, open_interest: 20, payout: 5, last_price: 4 },
    { ...MARKET, event_id: '3', title: 'c', volume: 7, open_interest: 0, payout: 10 },
  ]
  const codes = (address: string) =>
    chooseEvents(markets, choiceIn(address))
      .map(({ event_id }) => event_id)
      .join('')
  t.equal(codes('?sort=volume'), '132')
  t.equal(codes('?sort=volume&order=down'), '231')
  t.equal(codes('?sort=escrow&order=down'), '123', 'by money, not by contracts')
  t.equal(codes('?sort=title'), '213', 'whatever the case')
  t.equal(codes('?sort=last_price&order=down'), '213', 'those without a price last')
  t.equal(codes('?category=Sky'), '1')
  t.equal(codes('?category=Sea'), '')
  t.equal(codes('?show=__proto__&sort=constructor'), '123', 'what is unknown counts as not given')
  for (const address of ['', '?show=waiting&q=rain+%26&category=Sky&sort=volume&order=down']) {
    t.equal(addressOf(choiceIn(address)), address)
  }
})

t.test('a copy of an event closes in the future, on the same day of the week at the same time', async t => {
  const past = { ...MARKET, start_date: '2026-11-01T06:30:00.000Z', end_date: '2026-11-08T13:30:00.000Z' }
  t.match(copyOf(past, NOW), { start_date: '2026-11-15T12:00', end_date: '2026-11-22T19:00' })
  t.match(copyOf(MARKET, NOW), { title: MARKET.title, end_date: '2026-12-05T18:00', category: '' })
})

t.test(
  'a copy keeps its times of day where the clocks of the zone change, and still closes later',
  async t => {
    const evening = {
      ...MARKET,
      start_date: '2026-10-30T13:00:00.000Z',
      end_date: '2026-10-31T01:00:00.000Z',
    }
    t.match(copyOf(evening, NOW, 'America/New_York'), {
      start_date: '2026-11-27T09:00',
      end_date: '2026-11-27T21:00',
    })
    // A week later to the millisecond would still close in the future, the same time of day would not.
    const before = Date.parse('2027-03-28T00:30:00.000Z')
    const spring = { ...MARKET, start_date: '2027-03-13T02:00:00.000Z', end_date: '2027-03-21T02:00:00.000Z' }
    t.match(copyOf(spring, before, 'Europe/London'), { end_date: '2027-03-28T02:00' })
    t.match(copyOf(spring, before + 3_600_000, 'Europe/London'), { end_date: '2027-04-04T02:00' })
  },
)

t.test('the money of resting orders is what they would cost, on both sides', async t => {
  t.equal(restingValue({ bids: [[6, 10]], asks: [[7, 2]] }, 10), 66)
  t.equal(restingValue({ bids: [], asks: [] }, 10), 0)
})

t.test('a list saved as CSV keeps numbers, and makes no text a formula', async t => {
  const text = csvFile(EVENT_SHEET, [{ ...MARKET, title: '=1+1, "so"', open_interest: 3.5 }])
  const [head, row, end] = text.split('\r\n')
  t.match(head, /^\ufeffevent_id,title,status,.*,escrow,last_price$/)
  t.match(row, /^1000001,"'=1\+1, ""so""",open,/)
  t.match(row, /,3\.5,35,$/)
  t.equal(end, '')
})

t.test('limits that cross are found before anything is sent', async t => {
  const draft = { ...newDraft(NOW), title: 'x', description: 'y' }
  t.same(requestOf({ ...draft, end_date: draft.start_date }), {
    ...{ field: 'end_date', words: 'Closes must be after Opens.' },
  })
  t.same(requestOf({ ...draft, min_bet: '₹6.50', max_bet: '६' }), {
    ...{ field: 'max_bet', words: 'Maximum order must be at least the minimum order.' },
  })
  const before = draftOf(MARKET)
  t.same(editOf(before, { ...before, min_bet: '2,00,000' }), {
    ...{ field: 'min_bet', words: 'Minimum order must be at most the maximum order.' },
  })
  t.same(editOf(before, { ...before, start_date: before.end_date }), {
    ...{ field: 'start_date', words: 'Opens must be before Closes.' },
  })
  t.match(requestOf({ ...draft, min_bet: '₹6.50', max_bet: '१,०००' }), { min_bet: 6.5, max_bet: 1000 })
})

t.test(
  'reads events from CSV, each row with its own fault, and none that exists or stands there twice',
  async t => {
    const head = 'title,description,category,end_date,min_bet'
    const text = `\ufeff${head}\r
"Will Mumbai, or Delhi, win?","YES if ""they"" win.
Void if not played.",Cricket,2026-11-29 22:00,₹5
Will Pune win?,By the board.,,2026-11-29T16:30:00Z,
Will Pune WIN,By the board.,,2026-11-29 22:00,
Will it rain?,By IMD.,,2026-11-29 22:00,
Will Goa win?,,,2026-11-29 22:00,
Will Kochi win?,By the board.,,soon,
Will Agra win?,By the board.,,2020-01-01 10:00,20000
?!,By the board.,,2026-11-29 22:00,
`
    const file = readBulk(text, [MARKET], NOW)
    t.ok('rows' in file)
    if (!('rows' in file)) return
    t.match(file.rows[0], {
      line: 2,
      request: {
        title: 'Will Mumbai, or Delhi, win?',
        description: 'YES if "they" win.\nVoid if not played.',
        category: 'Cricket',
        end_date: '2026-11-29T16:30:00.000Z',
        ...{ min_bet: 5, max_bet: EVENT_DEFAULTS.max_bet, sot: EVENT_DEFAULTS.sot },
      },
    })
    t.equal(file.rows[1]?.request?.end_date, '2026-11-29T16:30:00.000Z', 'in the zone that it names')
    t.same(
      file.rows.slice(2).map(({ exists, fault }) => exists ?? fault),
      [
        'Same question as row 3.',
        '1000001',
        'Rules: Say when it resolves YES, when NO and when it is void.',
        'Closes: Write it as 2026-11-29 19:00, or with its zone as 2026-11-29T19:00+05:30.',
        'Closes: Closes must be after Opens.',
        'Use at least one letter or digit.',
      ],
    )
    const faultOf = (csv: string) => {
      const read = readBulk(csv, [], NOW)
      return 'fault' in read ? read.fault : undefined
    }
    const rowOf = (end: string, bet = '5') => {
      const read = readBulk(`${head}\nWill Una win?,By the board.,,${end},${bet}`, [], NOW)
      return 'rows' in read ? read.rows[0] : undefined
    }
    for (const end of [
      '2026-11-29 07:00 PM',
      '2026-11-31 19:00',
      '2026-11-31T19:00Z',
      '2026-11-29 19:00 IST',
    ]) {
      t.match(rowOf(end)?.fault, /^Closes: Write it as/, end)
    }
    for (const end of ['2026-11-29 19:00Z', '2026-11-29T19:00:00Z', '2026-11-30 00:30 +0530']) {
      t.equal(rowOf(end)?.request?.end_date, '2026-11-29T19:00:00.000Z', end)
    }
    t.equal(
      rowOf('2026-11-29 19:00', '1,00,000')?.fault,
      '7 fields for 5 columns. Quote values that contain commas, such as "1,00,000".',
    )
    t.equal(rowOf('2026-11-29 19:00', '"1,000"')?.request?.min_bet, 1000)
    t.equal(rowOf('2026-11-29 19:00', '5,,')?.request?.min_bet, 5, 'empty cells at the end say nothing')
    t.match(faultOf(`${head},colour\na,b,c,2026-11-29 22:00,1,red`), /Unknown column “colour”/)
    t.equal(faultOf(`${head},end_date\na,b,c,2026-11-29 22:00,1,`), 'Two columns are named “end_date”.')
    t.match(faultOf('title,end_date\na,2026-11-29 22:00'), /“description” is missing/)
    t.match(faultOf(head), /no rows/)
    t.match(faultOf(''), /missing/)
    t.match(faultOf(`${head}\n${'a,b,c,2026-11-29 22:00,1\n'.repeat(201)}`), /at most 200 rows/)
  },
)

t.test(
  'a template keeps the fields and times of day of a draft, and gives them back on a later day',
  async t => {
    const draft = {
      ...newDraft(NOW),
      title: 'Rain on {date}?',
      description: 'By {weekday}.',
      start_date: '2026-11-21T09:00',
      end_date: '2026-11-22T18:30',
    }
    const template = templateOf(' Rain ', draft)
    if ('words' in template) throw new Error(template.words)
    t.match(template, {
      name: 'Rain',
      title: 'Rain on {date}?',
      days: 1,
      opens_at: '09:00',
      closes_at: '18:30',
    })
    t.notOk('start_date' in template, 'no date is kept')
    const on = (days: number, now: string) => {
      const begun = draftFrom({ ...template, id: 1, schedule: null, days }, Date.parse(momentIn(now) ?? ''))
      return [begun.start_date, begun.end_date]
    }
    t.same(on(1, '2027-02-28T23:59'), ['2027-02-28T09:00', '2027-03-01T18:30'])
    t.same(on(0, '2027-02-28T18:29'), ['2027-02-28T09:00', '2027-02-28T18:30'])
    t.same(on(0, '2027-02-28T18:30'), ['2027-03-01T09:00', '2027-03-01T18:30'], 'never one that has closed')
    const begun = draftFrom({ ...template, id: 1, schedule: null }, NOW)
    t.same({ ...begun, start_date: draft.start_date, end_date: draft.end_date }, draft)
    t.match(templateOf(' ', draft), { field: 'name' })
    t.match(templateOf('Rain', { ...draft, min_bet: 'lots' }), { field: 'min_bet' })
    t.match(templateOf('Rain', { ...draft, end_date: draft.start_date }), { field: 'end_date' })
  },
)

t.test('placeholders stand for the day of closing in the time zone of the exchange', async t => {
  const draft = { ...newDraft(NOW), title: '{date}, {date}: {weekday} {day}', description: '{weekday}' }
  const closing = (end_date: string) => filledIn({ ...draft, end_date })
  t.match(closing('2026-11-22T00:00'), {
    title: /^22 Nov 2026, 22 Nov 2026: Sunday \{day\}$/,
    description: 'Sunday',
  })
  t.match(closing('2026-11-21T23:59'), { description: 'Saturday' })
  t.equal(closing('').title, draft.title, 'without a day nothing is filled in')
  const end = '2026-11-22T12:30:00.000Z'
  const filled = { ...draft, ...closing('2026-11-22T18:00') }
  t.equal(withPlaceholders(filled, end).title, '{date}, {date}: Sunday {day}', 'and goes back')
  const inHindi = new Intl.DateTimeFormat('hi-IN', { dateStyle: 'medium', timeZone: 'Asia/Kolkata' }).format(
    Date.parse(end),
  )
  const hindi = { ...draft, title: `${inHindi} को बारिश? 21 Nov 2026`, description: '22' }
  t.equal(withPlaceholders(hindi, end).title, '{date} को बारिश? 21 Nov 2026', 'in either language')
  t.equal(withPlaceholders(hindi, end).description, '22')
  t.equal(closing('2026-11-22T00:00').sot, draft.sot)
})

t.test('a schedule in the form is read as typed, and shows what the exchange would create next', async t => {
  const draft = scheduleDraft(null)
  const reads = (change: object) => scheduleIn({ ...draft, ...change })
  t.match(reads({}), { repeat: 'daily', hours_before: 24, ends_on: null, ends_after: null, is_paused: false })
  t.match(reads({ repeat: 'weekly', weekdays: [7, 1] }), { weekdays: [1, 7] })
  t.match(reads({ end: 'on', ends_on: '2026-12-31', ends_after: '9' }), {
    ends_on: '2026-12-31',
    ends_after: null,
  })
  t.match(reads({ end: 'after', ends_after: '१०' }), { ends_on: null, ends_after: 10 })
  t.match(reads({ repeat: 'weekly' }), { field: undefined, words: /one day/ })
  for (const [field, change] of [
    ['month_day', { repeat: 'monthly', month_day: '32' }],
    ['hours_before', { hours_before: '1.5' }],
    ['ends_on', { end: 'on' }],
    ['ends_after', { end: 'after', ends_after: '0' }],
  ] as const) {
    t.match(reads(change), { field })
  }
  const template = templateOf('Rain', { ...newDraft(NOW), title: '{date}', description: 'x' })
  const request = reads({ end: 'after', ends_after: '3' })
  if ('words' in template || 'words' in request) throw new Error('both are in order')
  const days = (schedule: object | null) =>
    upcoming(request, { ...template, id: 1, opens_at: '09:00', schedule: schedule as never }, NOW).map(
      ({ day }) => day,
    )
  t.same(days(null), ['2026-11-22', '2026-11-23', '2026-11-24'])
  const begun = { ...request, created: 2, through: '2026-11-23', next: [], trouble: null }
  t.same(days(begun), ['2026-11-24'], 'what exists already is not shown again')
  t.same(scheduleIn(scheduleDraft(begun)), request)
  t.equal(troubleText(begun), undefined)
  const trouble = { day: '2026-11-24', message: 'Event already exists', reason: 'event_exists' }
  t.equal(
    troubleText({ ...begun, trouble }),
    'The event of 24 Nov 2026 was not created: Event already exists.',
  )
  t.match(standingText({ ...begun, is_paused: true }), /^Every day · Paused · 2 events created$/)
  t.match(standingText({ ...begun, repeat: 'weekly', weekdays: [6] }), /^Every week on Sat · Over/)
})
