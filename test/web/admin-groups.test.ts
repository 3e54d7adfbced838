import t from 'tap'
import type { EventGroup, ListedMarket, Outcome, RaayError } from '../../src/client/client.js'
import { decisionsAmong } from '../../src/web/admin/events/list/decisions-among.js'
import { newDraft } from '../../src/web/admin/events/event-draft.js'
import { groupTitleOf } from '../../src/web/admin/events/list/group-title.js'
import { rateHint, rateIn, rateWords } from '../../src/web/admin/events/fee-words.js'
import { editOf, requestOf } from '../../src/web/admin/events/event-request.js'
import { termSentences } from '../../src/web/admin/events/event-terms.js'
import { countOf, groupFaultOf, groupRequestOf } from '../../src/web/admin/groups/group-request.js'
import type { GroupAct } from '../../src/web/admin/groups/settlement/group-act.js'
import { withOneHouse } from '../../src/web/admin/events/settlement/settlement-sum.js'
import { closedOf, consequencesOf, winnersOf } from '../../src/web/admin/groups/settlement/group-act.js'

const NOW = Date.UTC(2026, 10, 21, 12)
const DRAFT = { ...newDraft(NOW), title: 'Who wins?', description: 'The final.' }
const own = (outcomes: string, kind: EventGroup['kind'] = 'exclusive', hasNone = false) => ({
  ...{ outcomes, kind, hasNone },
})

t.test('a group has an outcome a line, and sends "None of these" only where one wins', async t => {
  const request = groupRequestOf(DRAFT, own(' India \n\n Australia\n', 'exclusive', true))
  t.match(request, {
    ...{ title: 'Who wins?', kind: 'exclusive', none_of_these: true, payout: 10, fee_taker_bp: null },
    outcomes: [{ title: 'India' }, { title: 'Australia' }],
  })
  const each = groupRequestOf(DRAFT, own('India\nAustralia', 'independent', true))
  t.notOk('none_of_these' in each)
  t.equal(countOf(own('a\nb\n', 'exclusive', true)), 3)
  t.equal(countOf(own('a\nb\n', 'independent', true)), 2)
})

t.test('a group that cannot be is refused before it is sent, at its field', async t => {
  const fault = (outcomes: string, hasNone = false) =>
    groupRequestOf(DRAFT, own(outcomes, 'exclusive', hasNone))
  t.match(fault('India'), { field: 'outcomes', words: /at least two/ })
  t.match(fault('India', true), { kind: 'exclusive' }, '"None of these" is the second')
  t.match(fault('India\nKenya\n INDIA!'), { field: 'outcomes', words: /^“India” is there twice/ })
  t.match(fault('India\nnone of these', true), {
    field: 'outcomes',
    words: /^“none of these” is there twice/,
  })
  const many = Array.from({ length: 100 }, (_, index) => `Team ${index}`).join('\n')
  t.match(fault(many), { kind: 'exclusive' })
  t.match(fault(many, true), { field: 'outcomes', words: /at most 100/ })
  t.match(groupRequestOf({ ...DRAFT, title: '' }, own('')), { field: 'title' }, 'the first field first')
  t.match(groupRequestOf({ ...DRAFT, max_bet: '' }, own('')), { field: 'outcomes' })
  t.match(groupRequestOf({ ...DRAFT, max_bet: '' }, own('a\nb')), { field: 'max_bet' })
})

t.test('refusals of a group name the line that is wrong', async t => {
  const told = (code: number, message: string, reason?: string) =>
    groupFaultOf({ code, message, reason } as RaayError, 'India\n\nAustralia\n')
  t.same(told(409, 'outcomes.1.title: Event already exists', 'event_exists'), {
    field: 'outcomes',
    words:
      '“Australia”: An event with this question and outcome already exists. ' +
      'Change the question or the outcome.',
  })
  t.match(told(422, 'outcomes.0.title: Expected at least one letter or digit'), {
    ...{ field: 'outcomes', words: '“India”: Use at least one letter or digit.' },
  })
  t.match(told(422, 'outcomes: Expected 2 to 100 outcomes'), { field: 'outcomes' })
  t.match(told(422, 'fee_taker_bp: Expected 0 to 1000'), {
    ...{ field: 'fee_taker_bp', words: /^Enter whole basis points/ },
  })
  t.match(told(408, 'No answer'), { field: undefined, words: /Check the list of groups/ })
})

type Status = EventGroup['status']

/** A group of India, Australia and Kenya in these states: a status, or an outcome. */
function stateOf(states: readonly (Status | Outcome)[], kind: EventGroup['kind'] = 'exclusive') {
  const labels = ['India', 'Australia', 'Kenya']
  const outcomes = states.map((state, index) => {
    const outcome = state === 'yes' || state === 'no' || state === 'void' ? state : null
    const status = outcome === null ? (state as Status) : 'resolved'
    return { event_id: String(1_000_002 + index), label: labels[index], status, outcome }
  })
  return {
    group: { code: '1000001', kind, outcomes } as unknown as EventGroup,
    money: { code: '1000001', escrow: 41, payout: 40, fees: 1, outcomes: [] },
    events: outcomes.map(outcome => ({ ...outcome, open_interest: 2, payout: 10 }) as ListedMarket),
  }
}

t.test('a winner needs all that are left to be closed, an elimination only its own outcome', async t => {
  const codes = (found: readonly { readonly event_id: string }[]) =>
    found.map(({ event_id }) => event_id.slice(-1)).join('')
  const both = (...states: (Status | Outcome)[]) => {
    const { group } = stateOf(states)
    return [codes(winnersOf(group)), codes(closedOf(group))]
  }
  t.same(both('closed', 'closed', 'closed'), ['234', '234'])
  t.same(both('closed', 'halted', 'closed'), ['', '24'])
  t.same(both('closed', 'no', 'closed'), ['24', '24'], 'one is eliminated')
  t.same(both('open', 'open', 'scheduled'), ['', ''])
})

t.test('says what a result does before it is confirmed', async t => {
  const of = (act: GroupAct, ...states: (Status | Outcome)[]) =>
    consequencesOf(act, stateOf(states)).join(' ')
  const closed = ['closed', 'closed', 'closed'] as const
  t.equal(
    of({ kind: 'winner', event: '1000003' }, ...closed),
    '“Australia” resolves YES; the 2 other outcomes resolve NO. ' +
      'Traders are paid ₹40.00 from the group’s escrow, starting immediately. ' +
      '₹1.00 of fees go to the exchange once all are paid. This cannot be undone.',
  )
  const eliminated = of({ kind: 'eliminate', event: '1000003' }, 'open', 'closed', 'open')
  t.match(
    eliminated,
    /^“Australia” resolves NO: .* The 2 other outcomes go on as they are\. .*still be voided/,
  )
  t.notMatch(eliminated, /cannot be undone/)
  const last = of({ kind: 'eliminate', event: '1000002' }, 'closed', 'no', 'open')
  t.match(last, /“Kenya” is the only one left: .* wins.* ₹40\.00 .*cannot be undone/)
  t.match(
    of({ kind: 'void' }, 'open', 'closed', 'no'),
    /rest are cancelled.*₹1\.00 of fees are refunded.*house/,
  )
  t.notMatch(of({ kind: 'void' }, ...closed), /rest are cancelled/)
  const outcomes = new Map<string, Outcome>([
    ['1000002', 'yes'],
    ['1000004', 'void'],
  ])
  t.match(
    consequencesOf({ kind: 'each', outcomes }, stateOf(closed, 'independent')).join(' '),
    /^“India”: YES, ₹20\.00 paid\. “Kenya”: all its trades are reversed/,
  )
})

t.test('a fee rate is whole basis points, shown in percent and in rupees', async t => {
  for (const text of ['0', '1,000', '५०', ' 25 ']) t.not(rateIn(text), undefined, text)
  for (const text of ['', '1001', '0.5', '-1', '1%', 'x']) t.equal(rateIn(text), undefined, text)
  t.equal(
    rateWords(50, 10),
    '0.5% of price × (payout − price) ÷ payout: at most ₹1.25 for 100 contracts, at ₹5.00.',
  )
  t.match(rateHint('', 10), /^Empty: /)
  t.match(rateHint('2000', 10), /^Whole basis points, 0 to 1,000/)
  t.match(rateHint('25', 100), /^0\.25% .* ₹6\.25 .* ₹50\.00/)
  t.match(termSentences({ ...DRAFT, fee_taker_bp: '100' }, NOW).at(-1), /^Taker fee: 1% /)
  t.match(requestOf({ ...DRAFT, fee_maker_bp: '1.5' }), {
    field: 'fee_maker_bp',
    words: /whole basis points/,
  })
  const before = { ...DRAFT, fee_taker_bp: '50', fee_maker_bp: '0' }
  t.same(editOf(before, { ...before, fee_taker_bp: '' }), { fee_taker_bp: null }, 'back to the exchange’s')
  t.same(editOf(before, { ...before, fee_maker_bp: '5' }), { fee_maker_bp: 5 })
})

t.test('a group is one decision, and its events name it', async t => {
  const at = (event_id: string, status: Status, group?: string) => ({
    ...{ event_id, status, end_date: '2026-11-28T00:00:00.000Z' },
    ...(group !== undefined && { group }),
  })
  const found = decisionsAmong([
    at('2', 'closed', '1'),
    at('3', 'closed', '1'),
    at('4', 'halted', '1'),
    at('5', 'closed'),
    at('7', 'halted', '6'),
  ])
  t.equal(found.map(({ event_id }) => event_id).join(''), '257')
  t.equal(groupTitleOf({ group: '1000001', label: 'India', title: 'Cup: India' }), 'Cup')
  t.equal(groupTitleOf({ group: '1000001', label: 'India', title: 'India wins?' }), 'Group 1000001')
  t.equal(groupTitleOf({ title: 'Rain?' } as ListedMarket), undefined)
})

t.test('the preview of a group has one row for its house quotes, whatever they did in each outcome', t => {
  const row = (userid: string, paid: number, payment: number, result: number) => ({
    ...{ userid, paid, payment, result },
  })
  const rows = [
    row('asha', 5, 10, 5),
    row('', -0.1, 0, 0.1),
    row('', 121.39, 0, -121.39),
    row('', -0.2, 0, 0.2),
  ]
  t.same(withOneHouse(rows), [row('asha', 5, 10, 5), row('', 121.09, 0, -121.09)])
  t.same(withOneHouse(rows.slice(0, 1)), rows.slice(0, 1))
  t.end()
})
