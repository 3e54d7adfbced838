import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runRaay } from '../fixtures/raay-command.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'
import type { SpawnedServer } from '../fixtures/server-process.js'
import { spawnTestServer } from '../fixtures/server-process.js'

const MOVES_WITHIN_MS = 60_000
const EVENTS = 6 + 8

/** Returns the sum of the open events' channel sequences, and their codes. */
async function look({ client }: SpawnedServer): Promise<{ seq: number; codes: string[] }> {
  const { additional } = (await client.get('/events?status=open')).body as unknown as {
    additional: { events: { event_id: string }[] }
  }
  const codes = additional.events.map(({ event_id }) => event_id)
  let seq = 0
  for (const code of codes) seq += (await client.book(code)).seq
  return { seq, codes }
}

/** Waits until bots have changed the books. */
async function moved(server: SpawnedServer, from: number): Promise<number> {
  const until = Date.now() + MOVES_WITHIN_MS
  let { seq } = await look(server)
  while (seq <= from && Date.now() < until) {
    await new Promise(resolve => setTimeout(resolve, 50))
    seq = (await look(server)).seq
  }
  return seq
}

t.test('a demo trades, stops, resumes, starts afresh and is removed without a trace', async t => {
  const home = dataDirectory(t)
  const data = join(home, 'demo')
  const verify = async (what: string) => {
    const { code, stdout } = await runRaay(['verify', '--data', data])
    t.equal(code, 0, what, { stdout })
  }

  const first = await spawnTestServer(t, { data, flags: ['--demo', '--demo-seed', '4'] })
  t.equal((await first.client.get('/healthz')).status, 200)
  const begun = await look(first)
  t.equal(begun.codes.length, EVENTS)
  t.ok((await moved(first, begun.seq)) > begun.seq, 'books move')
  t.match(
    await runRaay(['start', '--data', data, '--demo-remove']),
    { code: 1, stderr: /is in use/ },
    'not now',
  )
  t.equal(await first.kill('SIGTERM'), 0, first.stderr())
  await verify('after a stop')

  const normal = await runRaay(['start', '--port', '0', '--data', data])
  t.match(normal, { code: 1, stderr: /holds a demo: start it with --demo, or choose another directory/ })

  const second = await spawnTestServer(t, { data, flags: ['--demo', '--demo-rate', '20'] })
  const resumed = await look(second)
  t.ok(resumed.seq > begun.seq, 'it goes on where it was')
  t.notMatch(second.stderr(), /history/, 'the history is made once')
  t.ok((await moved(second, resumed.seq)) > resumed.seq, 'books move again')
  await second.kill('SIGKILL')
  await verify('after a kill')

  const fresh = await spawnTestServer(t, { data, flags: ['--demo-fresh'] })
  t.match(fresh.stderr(), /making the demo's history/)
  t.equal((await look(fresh)).codes.length, EVENTS)
  t.equal(await fresh.kill('SIGTERM'), 0)

  const other = join(home, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'kept'), 'mine')
  t.match(await runRaay(['demo', '--data', other, '--demo-remove']), {
    code: 0,
    stdout: /no demo in/,
  })
  t.match(await runRaay(['demo', '--data', data, '--demo-remove']), {
    code: 0,
    stdout: /deleted the demo in /,
  })
  t.notOk(existsSync(data))
  t.ok(existsSync(join(other, 'kept')))
})

t.test('refuses to create a demo in the data directory of an exchange, and leaves it unchanged', async t => {
  const data = dataDirectory(t)
  const server = await spawnTestServer(t, { data })
  const code = await server.client.createEvent()
  t.equal(await server.kill('SIGTERM'), 0)

  const message = /holds an exchange that is no demo: choose another directory for the demo with --data/
  for (const flag of ['--demo', '--demo-fresh']) {
    t.match(await runRaay(['start', '--port', '0', '--data', data, flag]), { code: 1, stderr: message }, flag)
  }
  t.match(await runRaay(['start', '--data', data, '--demo-remove']), {
    code: 0,
    stdout: /no demo in/,
  })

  const again = await spawnTestServer(t, { data })
  const { codes } = await look(again)
  t.same(codes, [code], 'it has its event, and no other')
  t.equal(await again.kill('SIGTERM'), 0)
})
