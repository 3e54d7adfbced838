import t from 'tap'
import { callRaay } from '../fixtures/raay-call.js'
import { startTestServer } from '../fixtures/server-process.js'

t.test('an operator plans a season, changes it, looks at its turn and deletes it', async t => {
  const { url, data } = await startTestServer(t)
  const raay = async (...words: string[]) => {
    const { code, stdout, stderr } = await callRaay(['season', ...words], { RAAY_URL: url, RAAY_DATA: data })
    return [code, `${stdout}${stderr}`] as const
  }
  const times = ['--from', '2090-01-01T00:00Z', '--to', '2090-04-01']
  const line = '1 is planned from 2090-01-01 00:00 to 2090-04-01 00:00 UTC'
  t.same(await raay('create', 'Winter', ...times, '--stake', '5000'), [0, `${line}, ₹5000.00: Winter\n`])
  t.same(await raay('edit', '1', '--stake', '70.5', '--name', 'Spring'), [0, `${line}, ₹70.50: Spring\n`])
  t.match(await raay('list'), [0, /\n1 +planned +2090-01-01 00:00 +2090-04-01 00:00 +70\.50 +Spring\n$/])
  t.match(await raay('turn', '1'), [0, /^users +0\nusers whose money changes +0\n/])
  t.match(await raay('create', 'Other', ...times, '--stake', '1'), [1, /^raay: Seasons do not overlap/])
  t.match(await raay('create', 'Other', '--from', '+1d', '--stake', '1'), [2, /^raay: missing --to/])
  t.match(await raay('create', 'Other', '--to', '+1d', '--stake', '1'), [2, /^raay: missing --from/])
  t.match(await raay('create', 'Other', ...times), [2, /^raay: missing --stake/])
  t.match(await raay('edit', '0', '--stake', '1'), [2, /give a whole number from 1 to 1000/])
  t.same(await raay('delete', '1'), [0, 'season 1 is deleted\n'])
  t.match(await raay('delete', '1'), [1, /^raay: Season not found/])
})
