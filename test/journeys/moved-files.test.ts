import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { journalPath } from '../../src/store/files/journal-path.js'
import type { SpawnedServer } from '../fixtures/server-process.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const FAULT = 70

// Each server waits for some seconds, so the tests run in parallel.
t.jobs = 4

interface Played {
  readonly server: SpawnedServer
  /** The ids of all orders that got a 201. */
  readonly ids: readonly string[]
  /** Time from the change to the last 201. */
  readonly answeredMs: number
}

/** Trades, changes the files of the running server, and keeps trading until it exits. */
async function playOn(t: Test, change: (file: string) => unknown): Promise<Played> {
  const server = await spawnTestServer(t)
  const event = await server.client.createEvent()
  const ids: string[] = []
  for (let order = 0; order < 20; order++) ids.push(await server.client.placeOrder(event))
  change(join(server.data, 'raay.db'))
  const changedAt = performance.now()
  let answeredMs = 0
  for (;;) {
    const id = await server.client.placeOrder(event).catch(() => undefined)
    if (id === undefined) break
    ids.push(id)
    answeredMs = performance.now() - changedAt
  }
  t.equal(await server.ended, FAULT)
  return { server, ids, answeredMs }
}

function replace(path: string): void {
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
}

async function checkRescued(t: Test, { server, ids }: Played): Promise<void> {
  const rescued = readdirSync(server.data).filter(name => name.startsWith('raay-rescued-'))
  t.equal(rescued.length, 1, server.stderr())
  const file = join(server.data, String(rescued[0]))
  const { exchange } = await TestExchange.open(t, { file })
  for (const id of ids) t.ok(await exchange.findOrder(id), `${id} was acknowledged`)
  t.ok(exchange.moneyIsAllThere())
}

const CHANGES: readonly (readonly [string, (file: string) => unknown, RegExp])[] = [
  [
    'the file is deleted',
    file => rmSync(file),
    /"stopped: raay\.db was deleted or renamed; put the file back/,
  ],
  [
    'the file and its log are deleted',
    file => ['', '-wal', '-shm'].map(end => rmSync(file + end)),
    /raay\.db was deleted or renamed, raay\.db-wal was deleted or renamed/,
  ],
  ['the journal is deleted', file => rmSync(journalPath(file)), /journal\.db was deleted or renamed/],
  [
    'both files and their logs are deleted',
    file => [file, journalPath(file)].map(path => ['', '-wal', '-shm'].map(end => rmSync(path + end))),
    /raay\.db was deleted or renamed.+journal\.db was deleted or renamed/,
  ],
  [
    'the log of the journal is replaced by a copy',
    file => replace(`${journalPath(file)}-wal`),
    /journal\.db-wal was replaced by another file/,
  ],
  ['the file is renamed', file => renameSync(file, `${file}.old`), /raay\.db was deleted or renamed/],
  ['the file is replaced by a copy', replace, /raay\.db was replaced by another file/],
  [
    'the log is replaced by a copy',
    file => replace(`${file}-wal`),
    /raay\.db-wal was replaced by another file/,
  ],
]

for (const [what, change, message] of CHANGES) {
  t.test(`${what}: the process stops, and nothing acknowledged is lost`, async t => {
    const played = await playOn(t, change)
    t.match(played.server.stderr(), message)
    t.comment(`answered for ${Math.round(played.answeredMs)} ms more`)
    await checkRescued(t, played)
  })
}

for (const [what, change] of [
  ['deleted', (data: string) => rmSync(data, { recursive: true, maxRetries: 5 })],
  ['moved', (data: string) => renameSync(data, `${data}-moved`)],
] as const) {
  t.test(
    `the whole data directory is ${what}: a copy of everything acknowledged is made beside it`,
    async t => {
      const played = await playOn(t, file => change(dirname(file)))
      t.teardown(() => rmSync(`${played.server.data}-moved`, { recursive: true, force: true }))
      t.match(played.server.stderr(), /raay\.db was deleted or renamed/)
      const [, file = ''] =
        /everything that was acknowledged is in ([^"]+)"/.exec(played.server.stderr()) ?? []
      t.equal(dirname(file), dirname(played.server.data))
      t.teardown(() => rmSync(file, { force: true }))
      const { exchange } = await TestExchange.open(t, { file })
      for (const id of played.ids) t.ok(await exchange.findOrder(id), `${id} was acknowledged`)
    },
  )
}

t.test('the lock is replaced: the process stops, and the file is unchanged', async t => {
  const { server, ids } = await playOn(t, file => replace(join(file, '..', 'raay.lock')))
  t.match(server.stderr(), /raay\.lock was replaced by another file; see that no other exchange runs here/)
  t.same(
    readdirSync(server.data).filter(name => name.startsWith('raay-rescued-')),
    [],
  )
  const again = await spawnTestServer(t, { data: server.data })
  for (const id of ids) t.equal((await again.client.get(`/order/${id}`)).status, 200)
  t.equal(await again.kill('SIGTERM'), 0)
})

t.test('a signal right after the file was deleted does not count as a clean shutdown', async t => {
  const server = await spawnTestServer(t)
  const event = await server.client.createEvent()
  const ids = [await server.client.placeOrder(event)]
  rmSync(join(server.data, 'raay.db'))
  t.equal(await server.kill('SIGTERM'), FAULT)
  await checkRescued(t, { server, ids, answeredMs: 0 })
})

t.test('backups and a clean shutdown raise no alarm', async t => {
  const server = await spawnTestServer(t)
  const event = await server.client.createEvent()
  for (let round = 0; round < 3; round++) {
    await server.client.placeOrder(event)
    t.equal((await server.client.post('/admin/backup', {})).status, 201)
  }
  t.equal(await server.kill('SIGTERM'), 0)
  t.notMatch(server.stderr(), 'raay.db')
})
