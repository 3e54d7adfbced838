import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { amendOrder, placeOrder, previewOrder } from '../../src/api/channels/order-messages.js'
import { REFUSAL_REASONS } from '../../src/api/reasons.js'
import { filesIn, loneTexts } from '../fixtures/page-texts.js'

const WEB = fileURLToPath(new URL('../../../src/web/', import.meta.url))
const TEXTS = join(WEB, 'texts')

/** Names and codes that are the same in both languages, and words of the examples in texts. */
const SAME = /\b(?:asha|Raay|raay|npm|start|demo|csv|json|age|kB|MB|GB|https?|www|example|org|config|txn)\b/g

type Dictionary = Readonly<Record<string, unknown>>

// A reader of Hindi, in whose page the texts below are loaded.
;(globalThis as Record<string, unknown>).document = { documentElement: { lang: 'hi-IN', dataset: {} } }

const { languageFor } = await import('../../src/web/texts/languages.js')
const { hindiPlural, plural } = await import('../../src/web/texts/plural.js')

const areas = filesIn(join(TEXTS, 'en'))
  .filter(name => name.endsWith('.ts'))
  .map(name => basename(name, '.ts'))

async function dictionary(language: 'en' | 'hi', area: string): Promise<Dictionary> {
  const address = new URL(`../../src/web/texts/${language}/${area}.js`, import.meta.url).href
  const found = (await import(address)) as Readonly<Record<string, Dictionary>>
  return found[language] ?? {}
}

/** Returns the texts of a dictionary by path; functions as they are written. */
function textsIn(value: unknown, path = ''): (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, String(value)]]
  return Object.entries(value as object).flatMap(([key, inner]) =>
    textsIn(inner, path === '' ? key : `${path}.${key}`),
  )
}

t.test('chooses the language of the reader, then of the browser, then of the instance', async t => {
  t.equal(languageFor('hi', ['en-IN'], 'en'), 'hi')
  t.equal(languageFor('en', ['hi-IN'], 'hi'), 'en')
  t.equal(languageFor(undefined, ['ta-IN', 'hi-IN', 'en'], 'en'), 'hi', 'the first that the pages have')
  t.equal(languageFor(undefined, ['EN-us', 'hi'], 'hi'), 'en')
  t.equal(languageFor(undefined, ['ta'], 'hi'), 'hi')
  t.equal(languageFor('fr', [], undefined), 'en', 'what is stored may be of a later version')
  t.equal(languageFor('constructor', [], 'toString'), 'en')
})

t.test('counts in the forms of each language', async t => {
  const users = { one: '# user', other: '# users' }
  t.same(
    [0, 1, 2, 123_456].map(count => plural(count, users)),
    ['0 users', '1 user', '2 users', '1,23,456 users'],
  )
  t.equal(hindiPlural(0, { one: '# दिन', other: '# दिनों' }), '0 दिन', 'zero is like one')
  t.equal(hindiPlural(5, { one: '# दिन', other: '# दिनों' }), '5 दिनों')
})

t.test('each text is in Hindi', async t => {
  for (const area of areas) {
    const english = new Map(textsIn(await dictionary('en', area)))
    const hindi = new Map(textsIn(await dictionary('hi', area)))
    const missing = [...english.keys()].filter(path => !hindi.has(path))
    t.same(missing, [], `${area}: none is missing`)
    for (const [path, text] of hindi) {
      const words = text.replaceAll(SAME, '')
      // Signs, symbols and abbreviations such as API have no other form.
      const hasWords = /\p{Ll}{2}/u.test(words.replaceAll(/\$\{[^}]*\}/g, '')) && !text.includes('=>')
      const isLeft = hasWords && !/\p{Script=Devanagari}/u.test(text)
      if (isLeft || (text.includes('=>') && english.get(path) === text && /\p{Ll}{2} /u.test(text))) {
        t.fail(`${area}.${path} is left in English: ${text}`)
      }
    }
  }
})

/** The parameters that take an outcome, its word or its key; some areas have names of their own for it. */
const OUTCOMES: Readonly<Record<string, RegExp>> = {
  ticket: /^(?:name|other)$/,
  notices: /^(?:outcome|result)$/,
  'admin-events': /^(?:outcome|right|wrong)$/,
}

/** Returns all texts of a dictionary by path, those with values for samples, in which each outcome is NO. */
function sampledTexts(value: unknown, area: string, no: string, path = ''): (readonly [string, string])[] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'function') {
    return Object.entries(value as object).flatMap(([key, inner]) =>
      sampledTexts(inner, area, no, `${path}.${key}`),
    )
  }
  const [list = ''] = /^[^=]*/.exec(String(value)) ?? []
  const parameters = list.match(/\w+/g) ?? []
  const outcomes = OUTCOMES[area] ?? /^outcome$/
  const called = (outcome: string) => {
    const samples = parameters.map(parameter => {
      if (outcomes.test(parameter)) return outcome
      if (parameter === 'deal') return 'buy'
      return parameter === 'nearest' ? ['3'] : '3'
    })
    return String((value as (...samples: unknown[]) => unknown)(...samples))
  }
  const byWord = called(no)
  const text = byWord.includes('undefined') ? called('no') : byWord
  return [[path, text]]
}

t.test('a Hindi sentence quotes the outcome, which else would deny its verb', async t => {
  const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0
  let quoted = 0
  for (const area of areas) {
    const english = new Map(sampledTexts(await dictionary('en', area), area, 'NO'))
    for (const [path, text] of sampledTexts(await dictionary('hi', area), area, 'नहीं')) {
      const label = `${area}${path}: ${text}`
      t.notMatch(text, /undefined/, label)
      if (text === 'हाँ' || text === 'नहीं') continue
      t.notMatch(text, /(?<![‘\p{L}\p{M}])हाँ|(?<![\p{L}\p{M}])हाँ(?!’)/u, label)
      // English tells the outcome NO from a denial: where it has one, Hindi must quote one.
      const nos = count(english.get(path) ?? '', /\bNO\b|\byes or no\b/g)
      t.equal(count(text, /‘नहीं’/g), nos, label)
      quoted += nos
    }
  }
  t.ok(quoted > 30, 'the samples reach the texts with outcomes')
})

t.test('Hindi has one word for one thing', async t => {
  const retired =
    /पोज़ीशन|ओपन ऑर्डर|\d(?:घं|दिन|हफ़्ता|माह)|उलट (?:दि|दी)|ट्रेड वापस|भर(?:ा|े|ेगा) ?(?:$|।|,)|आंशिक|फ़ीस|(?<!\p{M})कतार|समय पूरा$/u
  for (const area of areas) {
    for (const [path, text] of sampledTexts(await dictionary('hi', area), area, 'नहीं')) {
      t.notMatch(text, retired, `${area}${path}`)
    }
  }
})

t.test('each text is used', async t => {
  const files = filesIn(WEB).filter(path => /\.tsx?$/.test(path) && !path.startsWith('texts/'))
  const sources = files.map(path => readFileSync(join(WEB, path), 'utf8'))
  for (const area of areas) {
    const users = sources.filter(text => text.includes(`texts/${area}.js'`)).join('\n')
    const unused = Object.keys(await dictionary('en', area)).filter(
      key => !new RegExp(`\\.${key}\\b`).test(users),
    )
    t.same(unused, [], `${area}: none is unused`)
  }
})

t.test('no page has texts of its own', async t => {
  const files = filesIn(WEB).filter(path => /\.tsx?$/.test(path) && !path.startsWith('texts/'))
  for (const path of files) {
    t.same(await loneTexts(join(WEB, path)), [], path)
  }
})

t.test('a dictionary imports nothing that could wait for it', async t => {
  for (const language of ['en', 'hi']) {
    for (const area of areas) {
      const text = readFileSync(join(TEXTS, language, `${area}.ts`), 'utf8')
      const imports = [...text.matchAll(/^import (?!type )[^']*'([^']+)'/gm)].map(([, path]) => path)
      t.same(
        imports.filter(path => path !== '../plural.js'),
        [],
        `${language}/${area}`,
      )
    }
  }
})

t.test('formats numbers and times as Hindi is written, with Latin digits', async t => {
  const { chanceText, countText, rupeesText } = await import('../../src/web/kit/number-texts.js')
  const { clockText, dayTimeText, timeLeftText, zoneText } = await import('../../src/web/kit/time-texts.js')
  const { errorText } = await import('../../src/web/kit/error-text.js')
  t.equal(rupeesText(1_234_567.5), '₹12,34,567.50')
  t.equal(countText(123_456, 'scarce'), '1.2 लाख')
  t.equal(chanceText(0.625), '62.5%')
  t.equal(timeLeftText(3 * 86_400_000 + 4 * 3_600_000), '3 दिन 4 घं')
  t.match(dayTimeText('2026-11-21T11:19:00Z'), /^21 नव.* 2026, 4:49 pm$/i, 'in India’s time')
  t.equal(clockText('2026-11-21T11:19:08Z'), '16:49:08')
  t.equal(zoneText(0), 'भारतीय मानक समय')
  t.equal(
    errorText({ code: 409, message: 'Insufficient funds', reason: 'funds_insufficient' }),
    'बैलेंस काफ़ी नहीं है।',
  )
  t.match(errorText({ code: 404, message: 'Group not found', reason: 'group_not_found' }), /^यह ग्रुप/)
  t.match(errorText({ code: 503, message: 'A standby', reason: 'not_leader' }), /सिर्फ़ जानकारी/)
  t.match(errorText({ code: 503, message: 'Full', reason: 'events_full' }), /व्यस्त/)
  t.equal(errorText({ code: 409, message: 'Too late', reason: 'toString' }), 'Too late.')
})

t.test('says in Hindi why an order, its preview or its amendment is refused', async t => {
  const { errorText } = await import('../../src/web/kit/error-text.js')
  // The pages choose keys that are new, and users exist by then.
  const never = new Set<string>(['key_used', 'user_id_taken'])
  const refusals: Readonly<Record<string, readonly [number, string]>> = REFUSAL_REASONS
  const reasons = new Set([placeOrder, previewOrder, amendOrder].flatMap(({ refuses }) => refuses))
  t.ok(reasons.has('numbers_used_up'))
  for (const reason of reasons) {
    const [code] = refusals[reason] ?? [500]
    if (code >= 500 || never.has(reason)) continue
    t.match(errorText({ code, message: 'English', reason }), /[\u0900-\u097f]/, reason)
  }
})
