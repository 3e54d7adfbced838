import { BlockList } from 'node:net'
import t from 'tap'
import { AUDIT_ACTS, AUDIT_REFUSALS } from '../../src/api/auth/audit-kinds.js'
import { adminActionOf } from '../../src/core/admin-action.js'
import { browserName } from '../../src/web/account/browser-name.js'
import { eventFaultOf } from '../../src/web/admin/events/event-faults.js'
import { settlementWords, sumFault, sumLines } from '../../src/web/admin/events/settlement/settlement-sum.js'
import { sizeText } from '../../src/api/size-text.js'
import { durationText } from '../../src/web/admin/health/health-texts.js'
import { verificationWords } from '../../src/web/admin/health/verification-words.js'
import { actionWords, detailsOf, detailText } from '../../src/web/admin/log/action-words.js'
import { whoWords } from '../../src/web/admin/log/who-words.js'
import { webhookFault } from '../../src/web/admin/webhooks/webhook-fault.js'
import { faultOf } from '../../src/web/forms/field-faults.js'
import { errorText } from '../../src/web/kit/error-text.js'
import { t as logTexts } from '../../src/web/texts/admin-log.js'
import { urlFault } from '../../src/webhooks/endpoint-url.js'

const TOTALS = {
  ...{ users: 2, yes: 10, no: 10, escrow: 100, payout: 100 },
  ...{ collected: 0, shortfall: 0, fees: 0, sum: 0 },
}

t.test('shows a refusal at the field that it names, in the words of the form', async t => {
  const late = {
    code: 422,
    message: 'end_date: Expected a time after start_date',
    reason: 'validation',
  } as const
  t.same(eventFaultOf(late), { field: 'end_date', words: 'Closes must be after Opens.' })
  t.same(
    faultOf(late, ['title']),
    { field: undefined, words: 'end_date: Expected a time after start_date.' },
    'a form without that field shows it all the same',
  )
  t.match(eventFaultOf({ code: 409, message: 'Event already exists', reason: 'event_exists' }), {
    field: 'title',
    words: /this title/,
  })
  const state = 'Event is open: its start_date can no longer change'
  t.same(eventFaultOf({ code: 409, message: state, reason: 'event_state' }), {
    field: 'start_date',
    words: 'Opens can no longer be changed.',
  })
})

t.test('no refusal of the address of a webhook reaches its form in the words of the API', async t => {
  const addresses: readonly (readonly [address: string, words: string])[] = [
    ['hooks.example.org', 'Enter an address such as https://chat.example.org/hook.'],
    ['http://hooks.example.org/x', 'The address must begin with https://.'],
    ['https://hooks.example.org:8080/x', 'The port must be 443 or 8443.'],
    ['https://u:p@hooks.example.org/', 'Remove the user name and password from the address.'],
    ['https://hooks.example.org/#x', 'Remove the # and what follows it.'],
    ['https://10.0.0.7/x', 'Enter a public address, not one of this machine or network.'],
    [`https://a.example.org/${'x'.repeat(2048)}`, 'The address may have at most 2,048 characters.'],
  ]
  for (const [address, words] of addresses) {
    const message = urlFault(address, new BlockList()) ?? ''
    t.same(
      webhookFault({ code: 422, message, reason: 'validation' }, ['url']),
      { field: 'url', words },
      address,
    )
  }
  const later = { code: 422, message: 'url: Expected a name that resolves', reason: 'validation' } as const
  t.same(webhookFault(later, ['url']), { field: 'url', words: 'This address cannot be used.' })
  const full = { code: 409, message: 'Full', reason: 'webhooks_full' } as const
  t.match(webhookFault(full, ['url']), { field: undefined, words: /Delete one first/ })
})

t.test('no refusal of an event reaches its form in the words of the API', async t => {
  const rows: readonly (readonly [message: string, words: string])[] = [
    ['max_bet: Expected min_bet or more', 'Maximum order must be at least the minimum order.'],
    ['min_bet: Expected max_bet or less', 'Minimum order must be at most the maximum order.'],
    ['start_date: Expected a time before end_date', 'Opens must be before Closes.'],
    ['payout: Expected 1 to 100', 'Payout must be from ₹1 to ₹100.'],
    ['payout: Expected whole rupees', 'Payout must be whole rupees.'],
    ['title: Expected at most 300 characters', 'Question may have at most 300 characters.'],
    ['title: Expected at least one letter or digit', 'Use at least one letter or digit.'],
    ['title: Expected no U+200B, which cannot be seen', 'Remove U+200B, which cannot be seen.'],
    ['source_url: Expected an http or https address', 'Enter a link that begins with https:// or http://.'],
    ['quantity: Expected more than 0', 'Open-interest cap must be more than 0.'],
    ['quantity: Expected a multiple of 0.01', 'Open-interest cap may have at most two decimals.'],
    ['quantity: Expected 10 or more, the open interest', '10 contracts are open: the cap cannot be lower.'],
    ['min_bet: Expected 0 or more', 'Minimum order, ₹ must be 0 or more.'],
    ['category: Expected one of the 100 in use', 'There are 100 categories already. Choose one of them.'],
    ['quantity: Expected at most 1000000', 'Open-interest cap must be at most 10,00,000.'],
  ]
  for (const [message, words] of rows) {
    const [field] = message.split(':')
    t.same(eventFaultOf({ code: 422, message, reason: 'validation' }), { field, words }, message)
  }
  t.same(eventFaultOf({ code: 422, message: 'sot: Expected more', reason: 'validation' }), {
    ...{ field: 'sot', words: 'Source: Expected more.' },
  })
  t.match(eventFaultOf({ code: 503, message: 'Full', reason: 'queue_full' }), { field: undefined })
})

t.test('says that the exchange is not responding, or busy', async t => {
  for (const code of [408, 502, 504]) t.match(errorText({ code, message: 'x' }), /is not responding/)
  for (const code of [429, 503]) t.match(errorText({ code, message: 'x' }), /is busy/)
  t.equal(
    errorText({ code: 409, message: 'Event is open: close it first' }),
    'Event is open: close it first.',
  )
})

t.test('the sum of a settlement ends with the remainder, which must be zero', async t => {
  t.same(
    sumLines(TOTALS, false).map(({ words, money }) => `${words} ${money}`),
    ['From escrow +₹100.00', 'To traders −₹100.00', 'Left over ₹0.00'],
  )
  t.same(
    sumLines({ ...TOTALS, escrow: 101.5, fees: 1.5 }, false).map(({ words, money }) => `${words} ${money}`),
    ['From escrow +₹101.50', 'To traders −₹100.00', 'Kept as fees −₹1.50', 'Left over ₹0.00'],
  )
  const voided = sumLines({ ...TOTALS, payout: 130, collected: 20, shortfall: 10 }, true)
  t.same(
    voided.map(({ money }) => money),
    ['+₹100.00', '+₹20.00', '+₹10.00', '−₹130.00', '₹0.00'],
  )
  t.equal(sumFault(TOTALS), undefined)
  t.match(sumFault({ ...TOTALS, sum: -0.01 }), /do not add up: −₹0\.01 is left over. Do not set this result/)
})

t.test('a settlement shows who is paid and what is lost', async t => {
  t.equal(settlementWords('no', TOTALS), '2 users hold contracts. NO pays ₹100.00 in total; YES pays ₹0.')
  t.match(settlementWords('void', { ...TOTALS, users: 1 }), /^All trades of 1 user are reversed/)
  t.match(settlementWords('yes', { ...TOTALS, users: 0, payout: 0 }), /nothing to pay/)
})

t.test('every action that the exchange logs has a text', async t => {
  const by = { who: 'token' as const, address: '10.0.0.7', fields: {} }
  const moves = ['halted', 'open', 'closed'] as const
  const verbs = moves.map(to => {
    const command = { type: 'MOVE_MARKET', to, by, market: 1000001, id: 'x' }
    return adminActionOf(command as unknown as Parameters<typeof adminActionOf>[0])?.verb ?? ''
  })
  const others = [
    'create',
    'edit',
    'resolve',
    'void',
    'deposit',
    'withdraw',
    'backup',
    'confirm_clock',
    'create_season',
  ]
  for (const action of [...verbs, ...others]) t.match(actionWords({ action }), /^[A-Z]/, action)
  t.equal(actionWords({ action: 'later' }), 'later', 'one of a newer exchange is shown as it came')
  t.equal(whoWords(by), 'operator’s key')
  t.equal(whoWords({ who: 'open' }), 'no authentication')
  t.equal(whoWords({ who: 'account:priya' }), 'priya')
})

t.test('says what an action changed from what, in the words and units of the pages', async t => {
  const texts = (fields: object, before: object = {}) =>
    detailsOf({ fields: { ...fields }, before: { ...before } }).map(detailText)
  t.same(texts({ amount: 500, txn_id: 't1' }), ['Amount: ₹500.00', 'Transaction ID: t1'])
  t.same(
    texts({ title: 'Snow', max_bet: 50, sot: 'weather' }, { title: 'Rain', max_bet: 1000 }),
    ['Title: Rain → Snow', 'Max order: ₹1,000.00 → ₹50.00'],
    'not what stayed as it was',
  )
  t.same(texts({ end_date: '2026-11-22T10:30:00Z' }), ['Closes: 22 Nov 2026, 4:00 pm'])
  t.same(texts({ outcome: 'void', later: { x: 1 } }), ['Result: Void', 'later: {"x":1}'])
  t.same(texts({ description: '' }, { description: 'Words' }), ['Rules: Words → –'])
  t.match(texts({ description: 'a\n b'.repeat(100) })[0], /^Rules: a ba b.{110,}…$/)
  t.same(texts({}), [])
  const created = { fields: { title: 'Rain', max_bet: 50 }, before: {} }
  t.same(detailsOf(created, 'Rain').map(detailText), ['Max order: ₹50.00'], 'no title beside the same')
  t.match(detailsOf(created, 'Snow').map(detailText)[0], 'Title: Rain', 'the title that it had at first')
  const edited = { fields: { title: 'Snow' }, before: { title: 'Rain' } }
  t.same(detailsOf(edited, 'Snow').map(detailText), ['Title: Rain → Snow'])
})

t.test('formats sizes and times briefly', async t => {
  t.same([0, 999, 1000, 4_416_000, 999_600_000].map(sizeText), ['0 B', '999 B', '1 kB', '4.4 MB', '1 GB'])
  t.same([null, 0.04, 9.94, 45.4, 1234].map(durationText), ['–', '0.0 ms', '9.9 ms', '45 ms', '1.2 s'])
})

t.test('describes how a verification of the file ended', async t => {
  const row = { createdAt: '2026-11-22T06:00:00.000Z', seconds: 2.44, findings: ['account 5'], count: 1 }
  t.equal(verificationWords({ ...row, result: 'ok', count: 0 }), 'in order, verified in 2.4 s.')
  t.match(verificationWords({ ...row, result: 'broken' }), /^1 fault found.* The first: account 5$/)
  t.match(verificationWords({ ...row, result: 'broken', count: 3 }), /^3 faults found/)
  t.equal(verificationWords({ ...row, result: 'failed' }), 'the verification failed: account 5')
})

t.test('every kind of the audit has a text', async t => {
  for (const kind of [...AUDIT_ACTS, ...AUDIT_REFUSALS]) t.match(logTexts.kinds[kind], /^[A-Z]/, kind)
})

t.test('a session is named by its browser, and not by those that it claims to be', async t => {
  const like =
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Mobile Safari/537.36'
  t.equal(browserName(like), 'Chrome on Android')
  t.equal(browserName(`${like} EdgA/131.0`), 'Edge on Android')
  const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) Version/18.4 Safari/604.1'
  t.equal(browserName(phone), 'Safari on iPhone')
  t.equal(browserName('curl/8.5.0'), 'curl')
  t.equal(browserName(''), 'Unknown browser')
})
