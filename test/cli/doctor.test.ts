import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import t from 'tap'
import { commitChecks, lockCheck } from '../../src/cli/doctor/data-checks.js'
import { directoryCheck } from '../../src/cli/doctor/directory-checks.js'
import { fileChecks } from '../../src/cli/doctor/file-checks.js'
import { nativeFault, reinstallAdvice } from '../../src/cli/doctor/native-guard.js'
import { nodeCheck } from '../../src/cli/doctor/node-checks.js'
import { portCheck } from '../../src/cli/doctor/port-check.js'
import { certificateCheck } from '../../src/server/doctor/certificate-check.js'
import type { Check } from '../../src/server/doctor/check.js'
import { fileSystemCheck, spaceCheck } from '../../src/server/doctor/disk-checks.js'
import { clockCheck, openFilesCheck } from '../../src/server/doctor/machine-checks.js'
import { modeCheck } from '../../src/server/doctor/mode-check.js'
import { readCertificate } from '../../src/server/tls/certificate.js'
import { openDatabase } from '../../src/store/database.js'
import { journalPath } from '../../src/store/files/journal-path.js'
import { runRaay } from '../fixtures/raay-command.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const TLS = fileURLToPath(new URL('../../../test/fixtures/tls/', import.meta.url))
const MEGABYTE = 1024 * 1024
const NOW = Date.parse('2026-12-01T00:00:00Z')

interface Report {
  readonly ok: boolean
  readonly checks: readonly Check[]
}

async function examined(t: Test, argv: readonly string[], code: number): Promise<Map<string, Check>> {
  const ended = await runRaay(['doctor', '--json', ...argv])
  t.same([ended.code, ended.stderr], [code, ''])
  const { ok, checks } = JSON.parse(ended.stdout) as Report
  t.equal(ok, code === 0)
  t.ok(
    checks.every(({ result, advice }) => (result === 'ok') === (advice === undefined)),
    'advice where needed',
  )
  return new Map(checks.map(check => [check.name, check]))
}

t.test('a machine that is ready passes, and no file is left on it', async t => {
  const data = t.testdir()
  const { code, stdout, stderr } = await runRaay(['doctor', '--port', '0'], { RAAY_DATA: data })
  t.same([code, stderr], [0, ''], stdout)
  t.match(stdout, /^Raay \d+\.\d+\.\d+\n\n/)
  const names = ['node', 'driver', 'clock', 'files', 'directory', 'space', 'disk', 'lock', 'file']
  for (const name of [...names, 'durable', 'commits', 'port']) {
    t.match(stdout, new RegExp(`^ {2}(?:ok {2}|warn) {2}${name} `, 'm'), name)
  }
  t.match(stdout, /\nReady for an exchange[^\n]*\n$/)
  t.notOk(stdout.includes('\u001b'), 'no colours where there is no terminal')
  t.same(readdirSync(data), [])
  const colored = await runRaay(['doctor', '--port', '0', '--data', data], { FORCE_COLOR: '1' })
  t.match(colored.stdout, '\u001b[32mok')
  const missing = join(data, 'not', 'yet')
  const checks = await examined(t, ['--data', missing, '--port', '0'], 0)
  t.match(checks.get('directory'), { result: 'ok', found: `${missing}, which the first start creates` })
  t.same(readdirSync(data), [])
})

t.test('a running exchange is recognised by its lock and its port, and not disturbed', async t => {
  const { data, url, pid, client } = await spawnTestServer(t)
  const code = await client.createEvent()
  const checks = await examined(t, ['--data', data, '--port', new URL(url).port], 0)
  const holder = process.platform === 'linux' ? `process ${pid} (` : 'another process'
  t.match(checks.get('lock'), { result: 'ok', found: `in use by ${holder}` })
  t.match(checks.get('port'), {
    result: 'ok',
    found: / is in use by the exchange that runs on the data directory$/,
  })
  const other = await examined(t, ['--data', t.testdir(), '--port', new URL(url).port], 0)
  t.match(other.get('port'), { result: 'warn', found: / is in use by Raay \d+\.\d+\.\d+$/ })
  t.match(checks.get('file'), { result: 'ok', found: /^version \d+, [\d.]+ [kM]B, journal [\d.]+ [kM]B$/ })
  await client.placeOrder(code)
  const second = await runRaay(['start', '--data', data, '--port', '0'])
  t.match(second.stderr, 'is in use by another Raay process', 'the lock still holds')
})

t.test('a port in use by another program, and one that cannot be opened', async t => {
  const server = createServer(socket => socket.end('I am something else\r\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const data = ['--data', t.testdir()]
  const taken = await examined(t, [...data, '--port', String(port)], 0)
  t.match(taken.get('port'), {
    result: 'warn',
    found: `${port} on 127.0.0.1 is in use by another program`,
  })
  const nowhere = await examined(
    t,
    [...data, '--host', '203.0.113.1', '--port', '40404', '--allow-open-network'],
    1,
  )
  t.match(nowhere.get('port'), { result: 'fail', found: /EADDRNOTAVAIL/ })
})

t.test('a data directory that is a file, is missing or is not writable', async t => {
  const directory = t.testdir({ file: 'x' })
  const path = join(directory, 'file')
  const checks = await examined(t, ['--data', path, '--port', '0'], 1)
  t.match(checks.get('directory'), { result: 'fail', found: `${path} is not a directory` })
  t.notOk(checks.has('commits'), 'nothing is tried there')
  t.match(commitChecks(join(directory, 'none')), [{ name: 'commits', result: 'fail', found: /ENOENT/ }])
  if (process.getuid?.() === 0) return t.comment('root may write everywhere')
  const locked = join(directory, 'locked')
  mkdirSync(locked)
  chmodSync(locked, 0o500)
  t.match(directoryCheck(locked), { result: 'fail', found: `${locked} is not writable` })
})

t.test('a data file of another version, of another program, or damaged', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 5'])
  await test.close()
  const directory = join(test.file, '..')
  t.match(fileChecks(directory, test.now), [{ result: 'ok', found: /^version \d+, / }])
  const behind = fileChecks(directory, test.now - 60_000)
  t.match(behind, [{ result: 'ok' }, { name: 'clock', result: 'warn', found: /^behind the last batch/ }])
  const rows: readonly (readonly [number, string, RegExp])[] = [
    [99, 'fail', /^version 99, .*; this program uses version \d+$/],
    [1, 'fail', /^version 1, /],
    [10, 'warn', /^version 10, /],
    [0, 'fail', /: not a Raay file$/],
  ]
  for (const [version, result, found] of rows) {
    const database = openDatabase(test.file)
    database.pragma(`user_version = ${version}`)
    database.close()
    t.match(fileChecks(directory, NOW), [{ name: 'file', result, found }], `version ${version}`)
  }
  const broken = t.testdir({ 'raay.db': 'x'.repeat(5000), 'raay.lock': 'y'.repeat(5000) })
  t.match(fileChecks(broken, NOW), [{ name: 'file', result: 'fail', found: /cannot be read: file is not/ }])
  t.match(lockCheck(broken), { result: 'fail', found: /cannot be locked: file is not/ })
  writeFileSync(join(broken, 'raay.lock'), '')
  t.same(lockCheck(broken), { name: 'lock', result: 'ok', found: 'free' })
})

t.test('one of the two files alone, and files that do not belong together', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 5'])
  const backup = test.crashImage(join(test.file, '..', 'backup.db'))
  await test.close()
  const other = await TestExchange.open(t, { file: join(test.file, '..', 'other.db') })
  await other.close()
  const directory = join(test.file, '..')
  const journal = journalPath(test.file)
  const own = readFileSync(journal)
  const found = (words: RegExp) =>
    t.match(fileChecks(directory, test.now), [{ name: 'file', result: 'fail', found: words }])
  rmSync(journal)
  found(/its journal .+journal\.db is missing$/)
  copyFileSync(journalPath(other.file), journal)
  found(/^tables of exchange [0-9a-f]{8}, journal of [0-9a-f]{8}, directory of [0-9a-f]{8}$/)
  writeFileSync(journal, 'x'.repeat(5000))
  found(/cannot be read: file is not a database$/)
  writeFileSync(journal, own)
  rmSync(test.file)
  found(/raay\.db is missing, but its journal journal\.db is there$/)
  copyFileSync(backup, test.file)
  t.match(fileChecks(directory, test.now), [{ result: 'ok', found: /a backup that the next start splits$/ }])
  rmSync(test.file)
  rmSync(journal)
  found(/raay\.db is missing, but .+raay\.id says that an exchange was here$/)
})

t.test('too little space, an unsafe disk, few open files, a wrong clock, an old Node', async t => {
  const directory = t.testdir()
  const rows: readonly (readonly [Check, Check['result'], string | RegExp])[] = [
    [spaceCheck(directory, 99 * MEGABYTE), 'fail', '104 MB free'],
    [spaceCheck(directory, 1023 * MEGABYTE), 'warn', '1.1 GB free'],
    [spaceCheck(directory, 2048 * MEGABYTE), 'ok', '2.1 GB free'],
    [openFilesCheck(200), 'fail', 'up to 200 open files'],
    [openFilesCheck(1024), 'warn', 'up to 1,024 open files'],
    [openFilesCheck(65_536), 'ok', 'up to 65,536 open files'],
    [openFilesCheck(Number.POSITIVE_INFINITY), 'ok', 'no limit'],
    [openFilesCheck(undefined), 'ok', 'the limit is not known'],
    [clockCheck(0), 'fail', '1970-01-01 00:00:00 UTC, which is in the past'],
    [clockCheck(NOW), 'ok', '2026-12-01'],
    [nodeCheck(Date.parse('2040-01-01')), 'warn', /^v\d+\.\d+\.\d+, not maintained since /],
    [nodeCheck(Date.parse('2025-01-01')), 'ok', process.version],
  ]
  for (const [check, result, found] of rows) t.match(check, { result, found })
  if (process.platform === 'linux') {
    t.match(fileSystemCheck(directory, 0x01021994), { result: 'warn', found: 'tmpfs, which is memory' })
    t.match(fileSystemCheck(directory, 0xff534d42 | 0), { result: 'warn', found: /^CIFS/ })
  }
})

t.test('a file that others may read is named with the command that protects it', async t => {
  const directory = t.testdir({
    'raay.db': '',
    'journal.db-wal': '',
    "raay's.db": '',
    'other.txt': '',
    backups: { 'raay-1.db': '' },
  })
  const path = (...names: string[]) => join(directory, ...names)
  for (const name of ['raay.db', 'journal.db-wal', "raay's.db", 'backups/raay-1.db'])
    chmodSync(path(name), 0o600)
  for (const name of ['', 'backups']) chmodSync(path(name), 0o700)
  chmodSync(path('other.txt'), 0o666)
  t.match(modeCheck(directory), { name: 'modes', result: 'ok' })
  chmodSync(path('raay.db'), 0o640)
  t.match(modeCheck(directory), {
    result: 'warn',
    found: `other users may access ${path('raay.db')} (0640)`,
    advice: `chmod 600 ${path('raay.db')}`,
  })
  chmodSync(directory, 0o711)
  chmodSync(path("raay's.db"), 0o604)
  chmodSync(path('journal.db-wal'), 0o604)
  chmodSync(path('backups', 'raay-1.db'), 0o604)
  const { found, advice = '' } = modeCheck(directory)
  t.equal(found, `other users may access ${directory} (0711) and 4 more`)
  t.equal(spawnSync('sh', ['-c', advice]).status, 0)
  t.match(modeCheck(directory), { result: 'ok' })
  t.equal(statSync(path('other.txt')).mode & 0o777, 0o666, 'what is not of Raay stays')
  t.match(modeCheck(join(directory, 'none')), { result: 'ok' })
})

t.test('a certificate that is not usable, ends soon or whose key others may read', async t => {
  const data = t.testdir()
  const certFile = join(TLS, 'first-cert.pem')
  const keyFile = join(data, 'key.pem')
  copyFileSync(join(TLS, 'first-key.pem'), keyFile)
  chmodSync(keyFile, 0o600)
  const files = { certFile, keyFile }
  const { validFrom, validTo } = readCertificate(files)
  const days = (count: number) => count * 86_400_000
  t.match(certificateCheck(files, NOW), { result: 'ok', found: /^for DNS:localhost.*\(\d+ days\)$/ })
  t.match(certificateCheck(files, validTo - days(14)), { result: 'ok', found: /\(14 days\)/ })
  t.match(certificateCheck(files, validTo - days(14) + 1), { result: 'warn', advice: /^renew/ })
  t.match(certificateCheck(files, validTo), { result: 'fail', found: /expired on/ })
  t.match(certificateCheck(files, validFrom - 1), { result: 'fail', advice: 'check the clock' })
  chmodSync(keyFile, 0o644)
  t.match(certificateCheck(files, NOW), { result: 'warn', advice: `chmod 600 ${keyFile}` })
  const other = { certFile, keyFile: join(TLS, 'second-key.pem') }
  t.match(certificateCheck(other, NOW), { result: 'fail', found: /not a certificate and its key/ })

  const flags = ['--data', data, '--port', '0', '--tls-cert', certFile, '--tls-key', '/nowhere.pem']
  const checks = await examined(t, flags, 1)
  t.match(checks.get('tls'), { result: 'fail', found: '--tls-key /nowhere.pem cannot be read: ENOENT' })
})

t.test('options are checked as by raay start', async t => {
  const { code, stdout, stderr } = await runRaay(['doctor', '--dta', 'x'])
  t.same([code, stdout], [2, ''])
  t.equal(stderr, "raay: unknown option '--dta' (Did you mean --data?); see raay help doctor\n")
  t.match((await runRaay(['doctor', '--port', 'x'])).stderr, '--port (RAAY_PORT) is x: give a whole number')
})

t.test('a driver of another Node is explained in one line, also to those who use npx', t => {
  const said = `The module '/x/better_sqlite3.node'
was compiled against a different Node.js version using
NODE_MODULE_VERSION 115. This version of Node.js requires
NODE_MODULE_VERSION 127.`
  t.match(nativeFault(said), /^better-sqlite3 was compiled for another version of Node: .+$/)
  t.equal(nativeFault('/data is in use'), '/data is in use')
  t.equal(reinstallAdvice({ npm_command: 'ci' }), 'run npm ci with this Node')
  const npx = { npm_command: 'exec', npm_config_cache: '/home/asha/.npm' }
  t.equal(reinstallAdvice(npx), 'delete /home/asha/.npm/_npx and run npx again')
  t.end()
})

t.test('a port is in use by the exchange that runs on the data directory, or by something else', async t => {
  const server = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const place = `${port} on 127.0.0.1`
  const own = await portCheck('127.0.0.1', port, `http://127.0.0.1:${port}`)
  t.match(own, { result: 'ok', found: `${place} is in use by the exchange that runs on the data directory` })
  t.notMatch(JSON.stringify(own), /--port/, 'nothing is to be changed')
  for (const running of [undefined, `http://127.0.0.1:${port + 1}`]) {
    t.match(await portCheck('127.0.0.1', port, running), {
      result: 'warn',
      found: `${place} is in use by another program`,
      advice: /--port/,
    })
  }
})
