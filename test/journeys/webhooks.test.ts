import { kill } from 'node:process'
import t from 'tap'
import { dataDirectory } from '../fixtures/server/server-directory.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import { openReceiver } from '../fixtures/webhooks/receiver.js'

const KILLS = 2
const FLAGS = ['--shards', '1', '--webhook-allow', '127.0.0.0/8']

t.test('kill -9 between an answer of 2xx and the cursor repeats a message, and skips none', async t => {
  const data = dataDirectory(t)
  const receiver = await openReceiver(t)
  const codes: string[] = []
  for (let round = 0; round < KILLS; round++) {
    const server = await spawnTestServer(t, { data, flags: FLAGS })
    if (round === 0) {
      const webhook = JSON.stringify({ url: receiver.url, events: ['created'] })
      t.match(await server.client.send('POST', '/webhooks', webhook), { status: 201 })
    }
    const ended = new Promise<void>(done => {
      receiver.answer = async (_, response) => {
        // It stands still while it is answered, and never runs again.
        kill(server.pid, 'SIGSTOP')
        await new Promise<void>(sent => response.writeHead(204).end(sent))
        await server.kill('SIGKILL')
        done()
      }
    })
    codes.push(await server.client.createEvent())
    await ended
  }
  receiver.answer = (_, response) => response.writeHead(204).end()
  const last = await spawnTestServer(t, { data, flags: FLAGS })
  codes.push(await last.client.createEvent())
  const told = () => receiver.requests.map(({ body }) => (JSON.parse(body) as Told).data.event_id)
  while (told().at(-1) !== codes.at(-1)) await receiver.until(receiver.requests.length + 1)
  t.equal(await last.kill('SIGTERM'), 0)
  // In the second round the first message comes again, and kills before the second one is sent.
  const [first, second, third] = codes
  t.same(told(), [first, first, first, second, third])
  const ids = new Map(receiver.requests.map(({ id, body }) => [id, (JSON.parse(body) as Told).data.event_id]))
  t.same([...ids.values()], codes, 'a message that is repeated has its id')
  t.notMatch(last.stderr(), /very-secret-path|also-secret/)
})

interface Told {
  readonly data: { readonly event_id: string }
}
