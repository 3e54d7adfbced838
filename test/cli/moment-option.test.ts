import t from 'tap'
import { nearestOf } from '../../src/api/did-you-mean.js'
import { momentOf } from '../../src/cli/input/moment-option.js'

const NOW = Date.parse('2026-11-21T18:00:00.000Z')

t.test('reads a date, a date-time with its zone, now, or a span from now', async t => {
  const rows: readonly (readonly [string, string])[] = [
    ['now', '2026-11-21T18:00:00.000Z'],
    ['+7d', '2026-11-28T18:00:00.000Z'],
    ['-1h', '2026-11-21T17:00:00.000Z'],
    ['+1d12h', '2026-11-23T06:00:00.000Z'],
    ['+1w1d1h1m1s', '2026-11-29T19:01:01.000Z'],
    ['2026-12-31', '2026-12-31T00:00:00.000Z'],
    ['2026-12-31T18:30Z', '2026-12-31T18:30:00.000Z'],
    ['2026-12-31T18:30:15.25+05:30', '2026-12-31T13:00:15.250Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ]
  for (const [text, moment] of rows) t.equal(momentOf('--end', text, NOW), moment, text)
})

t.test('refuses any other text instead of guessing', async t => {
  const texts = ['', '7d', '+7', '+d', '+7y', '+9999999d', '+999999w', 'tomorrow', '2026', '12', '31-12-2026']
  const dates = ['2026-02-29', '2026-02-30T10:00:00Z', '2026-13-01', '2026-12-31T18:30', '2026-12-31 18:30Z']
  const odd = [
    '2026-12-31T24:01Z',
    '2026-12-31T18:30+99:99',
    '12026-12-31',
    '1969-12-31',
    '+1d;',
    '2026-12-31T',
  ]
  for (const text of [...texts, ...dates, ...odd]) {
    t.throws(
      () => momentOf('--end', text, NOW),
      { name: 'UsageError', message: `--end is ${text}: give ` },
      text,
    )
  }
})

t.test('finds the nearest word within a typing error or two', async t => {
  const verbs = ['start', 'event', 'order', 'user', 'verify', 'version', 'help']
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['strat', 'start'],
    ['evnet', 'event'],
    ['ordr', 'order'],
    ['uesr', 'user'],
    ['verfy', 'verify'],
    ['Start', 'start'],
    ['hlep', 'help'],
    ['x', undefined],
    ['stop', undefined],
    ['', undefined],
    ['constructor', undefined],
    ['a'.repeat(50), undefined],
  ]
  for (const [word, nearest] of rows) t.equal(nearestOf(word, verbs), nearest, word)
})
