import { BlockList } from 'node:net'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { callRaay } from '../fixtures/raay-call.js'
import { startTestServer } from '../fixtures/server-process.js'
import { openReceiver } from '../fixtures/webhooks/receiver.js'

t.test('an operator adds a webhook, tests it, rotates its secret, sends again and removes it', async t => {
  const webhookAllow = new BlockList()
  webhookAllow.addSubnet('127.0.0.0', 8)
  const { url, data, client } = await startTestServer(t, { webhookAllow })
  const receiver = await openReceiver(t)
  const raay = (...words: string[]) => callRaay(['webhook', ...words], { RAAY_URL: url, RAAY_DATA: data })
  t.match(await raay('add', receiver.url), { code: 2, stderr: /^raay: missing --events/ })
  t.match(await raay('add', receiver.url, '--events', 'created,born'), {
    ...{ code: 2, stderr: /^raay: "born" is no event: give some of created, / },
  })
  t.match(await raay('add', 'chat', '--events', 'created'), { code: 1, stderr: /url: Expected an address/ })
  const added = await raay('add', receiver.url, '--events', 'halted, created')
  t.match(added, { code: 0, stdout: /^whsec_\S+\n$/, stderr: /^secret of wh_\S+, shown only now:\n$/ })
  const [id = ''] = /wh_[\w-]+/.exec(added.stderr) ?? []
  t.match(await raay('list'), {
    stdout: new RegExp(`\n${id} +on +0 +0 +standard +http://\\S+/… +halted,created\n$`),
  })

  t.match(await raay('test', id), { code: 0, stdout: /^received in \d+ ms: 204\n$/ })
  const [sent] = receiver.requests
  t.match(sent && new Webhook(added.stdout.trim()).verify(sent.body, { ...sent.headers }), { type: 'test' })
  const rotated = await raay('rotate', id)
  t.match(rotated, { code: 0, stdout: /^whsec_\S+\n$/ })
  t.not(rotated.stdout, added.stdout)
  receiver.answer = (_, response) => response.writeHead(503).end('Later')
  t.match(await raay('test', id), { code: 1, stderr: /^raay: it was not received: 503 Later\n$/ })
  receiver.answer = (_, response) => response.writeHead(204).end()
  t.match(await raay('deliveries', id), {
    stdout: /^time .*\n.* test +evt_test_\S+ +\d+ +503 Later\n.* test +evt_test_\S+ +\d+ +204\n$/,
  })

  t.match(await raay('edit', id, '--enable', '--disable'), { code: 2 })
  t.match(await raay('edit', id, '--disable', '--events', 'created', '--format', 'slack'), {
    stdout: /\nevents +created\nformat +slack\nstate +disabled\n/,
  })
  t.match(await raay('edit', id, '--format', 'standard'), { stdout: /\nstate +disabled\n/ })
  const code = await client.createEvent()
  t.match(await raay('edit', id, '--enable'), { stdout: /\nstate +on\n/ })
  await receiver.until(3)
  t.match(JSON.parse(receiver.requests[2]?.body ?? ''), { type: 'created', data: { event_id: code } })
  t.match(await raay('replay', id), { code: 2, stderr: /^raay: missing --from/ })
  t.match(await raay('replay', id, '--from', '0'), { code: 2, stderr: /give a whole number from 1/ })
  t.match(await raay('replay', id, '--from', '1'), { code: 0, stdout: /\nreached batch +0\n/ })
  await receiver.until(4)
  t.equal(receiver.requests[3]?.id, receiver.requests[2]?.id, 'the same message once more')

  const { stdout } = await raay('show', id, '--json')
  t.match(JSON.parse(stdout), { webhook: id, events: ['created'], state: 'on' })
  t.same(await raay('remove', id), { code: 0, stdout: `webhook ${id} is deleted\n`, stderr: '' })
  t.match(await raay('show', id), { code: 1, stderr: /^raay: Webhook not found/ })
})
