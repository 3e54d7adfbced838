import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '../../src/server/config/config.js'
import type { SettingTexts } from '../../src/server/config/settings.js'

t.test('nothing of a demo is in a start that does not ask for one', async t => {
  const { demo, data } = readConfig({ 'demo-seed': '7' }, { RAAY_DEMO: 'no', RAAY_DEMO_RATE: '9' })
  t.equal(demo, undefined)
  t.equal(data, 'data')
})

t.test('a demo has its own directory', async t => {
  const dataOf = (flags: SettingTexts, env = {}) => readConfig(flags, env).data
  t.equal(dataOf({ demo: 'yes' }), join('data', 'demo'))
  t.equal(dataOf({}, { RAAY_DEMO: '1' }), join('data', 'demo'))
  t.equal(
    dataOf({ demo: 'yes' }, { RAAY_DATA: '/srv/raay' }),
    join('/srv/raay', 'demo'),
    'below that of the variable',
  )
  t.equal(dataOf({ demo: 'yes', data: '/tmp/show' }), '/tmp/show', 'or where the flag says')
})

t.test('its seed and rate are bounded numbers', async t => {
  const usual = { seed: 1, rate: 5, isFresh: false, isRemoved: false }
  t.same(readConfig({ demo: 'yes' }, {}).demo, usual)
  t.same(readConfig({ demo: 'yes', 'demo-seed': '42', 'demo-rate': '50' }, {}).demo, {
    ...usual,
    seed: 42,
    rate: 50,
  })
  t.same(readConfig({ demo: 'yes' }, { RAAY_DEMO_SEED: '3' }).demo, { ...usual, seed: 3 })
  for (const [flag, text] of [
    ['demo-rate', '0'],
    ['demo-rate', '51'],
    ['demo-rate', '2.5'],
    ['demo-seed', '-1'],
    ['demo-seed', 'x'],
  ] as const) {
    const wrong = () => readConfig({ demo: 'yes', [flag]: text }, {})
    t.throws(wrong, {
      name: 'ConfigError',
      message: new RegExp(`^--${flag} .* is ${text}: give a whole number`),
    })
  }
})

t.test('fresh and remove imply demo mode', async t => {
  t.match(readConfig({ 'demo-fresh': 'yes' }, {}), { data: join('data', 'demo'), demo: { isFresh: true } })
  t.match(readConfig({ 'demo-remove': 'yes' }, {}), { data: join('data', 'demo'), demo: { isRemoved: true } })
})

t.test('a switch accepts yes or no', async t => {
  for (const word of ['yes', 'true', '1', 'YES']) t.ok(readConfig({}, { RAAY_DEMO: word }).demo, word)
  for (const word of ['no', 'false', '0', ''])
    t.equal(readConfig({}, { RAAY_DEMO: word }).demo, undefined, word)
  t.throws(() => readConfig({}, { RAAY_DEMO: 'maybe' }), {
    name: 'ConfigError',
    message: '--demo (RAAY_DEMO) is maybe: give yes or no',
  })
})
