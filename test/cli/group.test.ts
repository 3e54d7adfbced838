import t from 'tap'
import { callRaay } from '../fixtures/raay-call.js'
import { startTestServer } from '../fixtures/server-process.js'

t.test('an operator creates a group, closes it and names the winner', async t => {
  const { url, data } = await startTestServer(t)
  const raay = async (...words: string[]) => {
    const { code, stdout, stderr } = await callRaay(['group', ...words], { RAAY_URL: url, RAAY_DATA: data })
    return [code, `${stdout}${stderr}`] as const
  }
  const create = ['create', 'Who wins?', '--end', '+3d', '--outcomes', 'India, Kenya', '--none-of-these']
  t.same(await raay(...create), [0, '1000001 is open: Who wins?\n'])
  t.match(await raay('list'), [0, /1000001 +open +exclusive +3 .* Who wins\?\n$/])
  t.match(await raay('show', '1000001'), [0, /1000004 +open +- +- +- +- +0 +None of these\n$/])
  t.same(await raay('resolve', '1000001', '1000003'), [1, 'raay: Event 1000002 is open: close it first\n'])
  t.same(await raay('halt', '1000001'), [0, '1000001 is halted: Who wins?\n'])
  t.same(await raay('resume', '1000001'), [0, '1000001 is open: Who wins?\n'])
  t.same(await raay('edit', '1000001', '--title', 'Who won?'), [0, '1000001 is open: Who won?\n'])
  t.same(await raay('edit', '1000001', '--title', 'Who wins?', '--max-bet', '3000'), [
    0,
    '1000001 is open: Who wins?\n',
  ])
  t.match(await raay('edit', '1000001', '--min-bet', '4000'), [1, /min_bet: Expected max_bet or less/])
  t.match(await raay('edit', '1000001', '--category', 'Cups'), [2, /give the events their/])
  t.same(await raay('close', '1000001'), [0, '1000001 is closed: Who wins?\n'])
  t.match(await raay('resolve', '1000001', '1000003'), [
    0,
    /^1000001 is (?:resolved|settled), winner Kenya: /,
  ])
  t.match(await raay('void', '1000001'), [1, /^raay: Event 1000002 is resolved as no/])
  t.match(await raay('resolve', '1000001', '1000003', '1000002'), [2, /is not a result/])
  t.match(await raay('create', 'Who wins?', '--end', '+3d'), [2, /^raay: missing --outcomes/])
  const days = ['create', 'Which days?', '--end', '+3d', '--outcomes', 'Monday,Sunday', '--independent']
  t.same(await raay(...days), [0, '1000005 is open: Which days?\n'])
  await raay('close', '1000005')
  t.match(await raay('resolve', '1000005', '1000006=yes', '1000007=void'), [
    0,
    /^1000005 is (?:resolved|settled)/,
  ])
})
