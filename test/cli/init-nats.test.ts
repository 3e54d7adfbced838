import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import type { Test } from 'tap'
import t from 'tap'
import { newNatsKey } from '../../src/cli/init/nats-keys.js'
import { natsPlace, readLogin } from '../../src/replication/jetstream/nats-place.js'
import { openStream } from '../../src/replication/jetstream/open-stream.js'
import { freePort } from '../fixtures/server/proxies.js'
import { NO_NATS } from '../fixtures/nats/nats-servers.js'
import { runRaay } from '../fixtures/raay-command.js'
import { roomyDirectory } from '../fixtures/server/server-directory.js'
import { spawnTestServer } from '../fixtures/server-process.js'

const [SYNCS_SINCE, VERSION] = [
  10,
  spawnSync('nats-server', ['--version'], { encoding: 'utf8' }).stdout ?? '',
]
/** Debian's server of today does not know the setting, and does not sync. */
const CAN_SYNC = Number(/v2\.(\d+)\./.exec(VERSION)?.[1] ?? 0) >= SYNCS_SINCE

function directoryOf(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'raay-init-nats-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

t.test(
  'three servers of its files are a log that an exchange in sync accepts',
  { skip: NO_NATS },
  async t => {
    const directory = directoryOf(t)
    const out = join(directory, 'nats')
    const ports: number[] = []
    while (ports.length < 3) {
      const port = await freePort()
      // Its neighbour is for the other servers.
      if (port < 63_000 && !ports.includes(port)) ports.push(port)
    }
    const servers = ports.map(port => `127.0.0.1:${port}`).join(',')
    const made = await runRaay(['init', 'nats', '--servers', servers, '--out', out])
    t.match(made, { code: 0, stderr: '' })
    t.match(made.stdout, `raay start --replicate-to nats://${servers}/orders --replication sync`)
    const secret = ['raay.nk', 'raay-system.nk', ...[1, 2, 3].map(n => `n${n}/nats-server.conf`)]
    for (const name of secret) t.equal(statSync(join(out, name)).mode & 0o777, 0o600, name)
    t.match(await runRaay(['init', 'nats', '--servers', servers, '--out', out]), {
      code: 1,
      stderr: /exists/,
    })

    for (const index of [1, 2, 3])
      await startServer(t, join(out, `n${index}`), join(directory, `store${index}`))
    const login = join(out, 'raay.nk')
    const systemLogin = join(out, 'raay-system.nk')
    const place = { ...natsPlace(`nats://${servers}`), stream: 'strange' }
    const open = (more: Partial<Parameters<typeof openStream>[0]>) =>
      openStream({ place, name: 'strange', mode: 'sync', warn: () => undefined, ...more })
    await t.rejects(open({}), /[Aa]uthorization/, 'nobody without a key')
    if (!CAN_SYNC) {
      const keys = { login: readLogin(login), systemLogin: readLogin(systemLogin) }
      await t.rejects(open(keys), /n1, n2, n3 acknowledge before|n[123], n[123], n[123] acknowledge before/)
    }

    const flags = ['--replicate-to', `nats://${servers}/orders`, '--replication', 'sync']
    flags.push('--replicate-login', login, '--replicate-system-login', systemLogin)
    if (!CAN_SYNC) flags.push('--allow-unsynced-log')
    const exchange = await spawnTestServer(t, { data: roomyDirectory(t), flags })
    const event = await exchange.client.createEvent()
    const { status } = await exchange.client.post('/order/initiate', {
      ...{ event_id: event, userid: 'asha', offer_type: 'buy', order_type: 'LO', outcome: 'yes' },
      ...{ l1_expected_price: 5, l1_order_quantity: 1 },
    })
    t.equal(status, 201)
    t.equal(await exchange.kill('SIGTERM'), 0)
  },
)

/** Starts a server of the written configuration, with a store of its own. */
async function startServer(t: Test, folder: string, store: string): Promise<void> {
  const config = join(folder, 'nats-server.conf')
  const text = readFileSync(config, 'utf8').replace('/var/lib/raay-nats', store)
  writeFileSync(config, CAN_SYNC ? text : text.replace(/^ *sync_interval: always$/m, ''))
  const tested = spawnSync('nats-server', ['-c', config, '-t'], { encoding: 'utf8' })
  t.equal(tested.status, 0, tested.stderr)
  const child = spawn('nats-server', ['-c', config], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
}

t.test('what is wrong with its options', async t => {
  const out = directoryOf(t)
  const wrong: readonly (readonly [string[], RegExp])[] = [
    [[], /usage: raay init nats --servers/],
    [['--servers', 'a,b,c'], /usage/],
    [['--servers', 'a,b'], /three different machines/],
    [['--servers', 'a,b,b'], /three different machines/],
    [['--servers', 'a,b,c d'], /has c d/],
    [['--servers', 'a,b,c:64000'], /has c:64000/],
    [['--servers', 'a,b,c', '--out', out, '--tls-cert', '/x'], /belong together/],
    [['--servers', 'a,b,c', '--out', out, '--store', 'x'], /absolute path/],
  ]
  for (const [options, stderr] of wrong) {
    t.match(await runRaay(['init', 'nats', ...options]), { code: 2, stdout: '', stderr }, options.join(' '))
  }
})

t.test('with TLS, and by systemd', async t => {
  const out = directoryOf(t)
  const tls = ['--tls-cert', '/etc/raay-nats/cert.pem', '--tls-key', '/etc/raay-nats/key.pem']
  const options = ['--servers', 'n1.example.org,n2.example.org,n3.example.org', ...tls]
  const made = await runRaay(['init', 'nats', ...options, '--tls-ca', '/etc/raay-nats/ca.pem', '--out', out])
  t.match(made.stdout, /--replicate-to tls:\/\/n1\.example\.org,n2\.example\.org,n3\.example\.org\/orders/)
  const config = readFileSync(join(out, 'n2', 'nats-server.conf'), 'utf8')
  t.match(config, /^server_name: n2$/m)
  t.match(config, /^ {2}sync_interval: always$/m)
  t.equal(config.match(/^ *tls \{.*ca_file: "\/etc\/raay-nats\/ca\.pem"/gm)?.length, 2)
  t.equal(config.match(/nats-route:\/\/route:\w{48}@n\d\.example\.org:6222$/gm)?.length, 3)
  const unit = readFileSync(join(out, 'raay-nats.service'), 'utf8')
  t.match(unit, /^StateDirectory=raay-nats$/m)
  const analyze = spawnSync('systemd-analyze', ['--version'])
  if (analyze.error !== undefined) return
  const file = join(out, 'raay-nats.service')
  writeFileSync(file, unit.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
  const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
  t.same([verified.status, verified.stderr], [0, ''])
})

t.test('its keys are as the client of NATS makes and reads them', t => {
  for (let count = 0; count < 20; count++) {
    const { publicKey, seed } = newNatsKey()
    t.match(seed, /^SU[A-Z2-7]{56}\n$/)
    t.equal(nkeys.fromSeed(new TextEncoder().encode(seed.trim())).getPublicKey(), publicKey)
  }
  t.end()
})
