import t from 'tap'
import { readConfig } from '../../src/server/config/config.js'
import { callRaay } from '../fixtures/raay-call.js'
import { startTestServer } from '../fixtures/server-process.js'

t.test('an operator funds, looks at and stops house quotes', async t => {
  const { url, data } = await startTestServer(t)
  const raay = async (...words: string[]) => {
    const { code, stdout, stderr } = await callRaay(words, { RAAY_URL: url, RAAY_DATA: data })
    return [code, `${stdout}${stderr}`] as const
  }
  const event = (...words: string[]) => raay('event', 'liquidity', '1000001', ...words)
  await raay('event', 'create', 'Will it rain?', '--end', '+3d', '--tick-size', '0.5')
  t.same(await event(), [0, '1000001 has never had house quotes\n'])
  t.same(await event('--stop'), [1, 'raay: House quotes not found: none have been funded here\n'])
  const quotes = (status: string) => `1000001: house quotes ${status}, budget 1000.00, worst case -1000.00
if YES 0.00, if NO 0.00, holds 0 YES and 0 NO
bids 35.1 @ 4.50  35.82 @ 4.00  37.36 @ 3.50  5.41 @ 3.00
asks 35.1 @ 5.50  35.82 @ 6.00  37.36 @ 6.50  39.93 @ 7.00
`
  const funds = ['--budget', '1000', '--start-price', '5']
  t.same(await event(...funds, '--preview'), [0, quotes('preview')])
  t.same(await event(...funds), [0, quotes('running')])
  t.same(await event(), [0, quotes('running')])
  t.match(await event(...funds), [1, /^raay: House quotes are running already: stop them first/])
  t.match(await event('--json'), [0, /"status":"running"/])
  t.match(await event('--stop'), [0, /^1000001: house quotes stopped, .*\n.*\nbids -\nasks -\n$/])
  t.match(await event('--budget', '5'), [2, /^raay: missing --start-price/])
  t.match(await event('--step', '5'), [2, /^raay: missing --budget/])
  t.match(await event('--budget', '5', '--stop'), [2, /^raay: give either --budget or --stop/])
  t.match(await event('--budget', '0.01', '--start-price', '0.5'), [1, /^raay: budget: Expected at least ₹/])

  const outcomes = ['--outcomes', 'India, Kenya', '--tick-size', '0.5']
  await raay('group', 'create', 'Who wins?', '--end', '+3d', ...outcomes)
  t.match(await raay('group', 'liquidity', '1000002', '--budget', '1000'), [
    0,
    /^1000002: budget 1000.00, worst case -1000.00 in all\n.*\n1000003 +running +500.00 .* 4.50 +5.50 +India\n/,
  ])
  t.match(await raay('group', 'liquidity', '1000002', '--stop'), [0, /1000004 +stopped .* - +- +Kenya\n$/])
})

t.test(
  'an event that the budget of new events does not suit is created without, and operators see it',
  async t => {
    const settings = { 'house-liquidity': '1000', 'house-liquidity-max': '1500' }
    const { houseLiquidity, houseLiquidityMax } = readConfig(settings, {})
    const { url, data, client } = await startTestServer(t, { houseLiquidity, houseLiquidityMax })
    const raay = async (...words: string[]) => {
      const { code, stdout, stderr } = await callRaay(words, { RAAY_URL: url, RAAY_DATA: data })
      return [code, `${stdout}${stderr}`] as const
    }
    for (const title of ['Rain?', 'Snow?']) await raay('event', 'create', title, '--end', '+3d')
    t.match(await raay('event', 'liquidity', '1000001'), [
      0,
      /^1000001: house quotes running, budget 1000.00/,
    ])
    t.match(await raay('event', 'liquidity', '1000002'), [0, /never had/])
    const { body } = await client.get('/admin/doctor')
    const { checks } = body.additional as { checks: readonly { name: string }[] }
    t.match(
      checks.find(({ name }) => name === 'house quotes'),
      { result: 'warn', found: 'created without since the start: 1000002', advice: /raay event liquidity/ },
    )
    t.same([readConfig({}, {}).houseLiquidity, readConfig({}, {}).houseLiquidityMax], [undefined, undefined])
  },
)
