import t from 'tap'
import { startAccounts } from '../fixtures/accounts-server.js'
import { callRaay } from '../fixtures/raay-call.js'
import { startTestServer } from '../fixtures/server-process.js'

const TIME = /\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d\S*/g

t.test('times are in UTC, and every verb that prints one says so', async t => {
  const { client, url, data } = await startTestServer(t)
  const end = '2090-04-01T18:30:00.000Z'
  const code = await client.createEvent({ end_date: end })
  await client.post('/groups/create', {
    ...{ title: 'Who wins the cup?', description: 'The winner of the final.', kind: 'exclusive' },
    outcomes: [{ title: 'India' }, { title: 'Kenya' }],
    ...{ start_date: '2020-01-01T00:00:00Z', end_date: end, sot: 'ICC' },
    ...{ min_bet: 0, max_bet: 10_000, quantity: 1000 },
  })
  const order = await client.placeOrder(code, { userid: 'asha', expires_at: end })
  const times = { starts_at: '2090-01-01T18:30:00.000Z', ends_at: end }
  await client.post('/seasons', { name: 'Winter', stake: 5, ...times })
  for (const words of [
    'event list',
    `event show ${code}`,
    'group list',
    'order list --user asha',
    `order show ${order}`,
    'season list',
    'season edit 1 --name Spring',
    'admin link',
  ]) {
    t.same(await unmarked(words, { RAAY_URL: url, RAAY_DATA: data }), [], words)
  }
})

t.test('so do those of accounts', async t => {
  const { client, url, data } = await startAccounts(t)
  await client.post('/auth/users', { name: 'meera', role: 'trader', password: 'a sentence of meera' })
  const env = { RAAY_URL: url, RAAY_DATA: data }
  await callRaay(['key', 'create', 'meera', '--expires', '+7d'], env)
  for (const words of ['invite create --role trader', 'invite list', 'key list meera', 'admin link']) {
    t.same(await unmarked(words, env), [], words)
  }
})

/** Returns the lines with a time that neither they nor the head of their table mark as UTC; it has to print one. */
async function unmarked(words: string, env: Record<string, string>): Promise<string[]> {
  const { code, stdout, stderr } = await callRaay(words.split(' '), env)
  const lines = `${stdout}${stderr}`.split('\n')
  const timed = lines.filter(line => line.match(TIME) !== null)
  if (code !== 0 || timed.length === 0) return [`no time: ${lines.join('\n')}`]
  const isTable = lines[0]?.includes('(UTC)') === true
  return timed.filter(line => !isTable && !line.includes('UTC'))
}
