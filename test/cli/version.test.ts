import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import t from 'tap'
import { fetchNewestVersion, isNewer } from '../../src/cli/newest-version.js'
import { runRaay } from '../fixtures/raay-command.js'

/** Starts a registry that answers like this; returns its address and the paths that it was asked for. */
async function registry(t: Test, answer: RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const answering =
  (body: string, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body)

t.test('asks the registry only with --check, and prints what it answers', async t => {
  const newer = await registry(t, answering('{"name":"raay","version":"999.0.0"}'))
  const env = { RAAY_REGISTRY: newer.url }
  const quiet = await runRaay(['version'], env)
  t.match(quiet, { code: 0, stdout: /^raay \S+, node \S+\n$/ })
  t.same(newer.asked, [], 'nothing was sent')

  const { code, stdout, stderr } = await runRaay(['version', '--check'], env)
  t.same([code, stderr], [0, ''])
  t.equal(stdout, `${quiet.stdout}999.0.0 is available. Read the changelog before you upgrade.\n`)
  t.same(newer.asked, ['GET /raay/latest'])

  const asJson = await runRaay(['version', '--check', '--json', '--registry', `${newer.url}/`])
  t.match(JSON.parse(asJson.stdout), { node: process.version, newest: '999.0.0', update: true })
  t.equal(newer.asked.length, 2)
})

t.test('says so when there is nothing newer', async t => {
  const { stdout } = await runRaay(['version', '--json'])
  const { version } = JSON.parse(stdout) as { readonly version: string }
  const same = await registry(t, answering(JSON.stringify({ version })))
  t.match(
    (await runRaay(['version', '--check', '--registry', same.url])).stdout,
    'This is the newest version.',
  )
  const older = await registry(t, answering('{"version":"0.0.1"}'))
  const { stdout: text } = await runRaay(['version', '--check', '--registry', older.url])
  t.match(text, 'The newest published version is 0.0.1.')
})

t.test('wrong use is refused before anything is sent', async t => {
  const { url, asked } = await registry(t, answering('{}'))
  t.match(await runRaay(['version', '--registry', url]), {
    code: 2,
    stdout: '',
    stderr: '--registry is for --check',
  })
  for (const bad of ['registry.npmjs.org', 'file:///etc/passwd', 'http://']) {
    const { code, stderr } = await runRaay(['version', '--check', '--registry', bad])
    t.equal(code, 2, bad)
    t.match(stderr, '--registry (RAAY_REGISTRY) is')
  }
  t.same(asked, [])
})

t.test('every failure has a message of one line, and the exit code 1', async t => {
  const { url } = await registry(t, answering('{"error":"not found"}', 404))
  const { code, stdout, stderr } = await runRaay(['version', '--check', '--registry', url])
  t.same([code, stdout], [1, ''])
  t.equal(stderr, `raay: cannot find the newest version: ${url}/raay/latest does not know the package raay\n`)
})

t.test('no answer, a cut one, too long a one or another thing is an error', async t => {
  const rows: readonly (readonly [string, RequestListener, RegExp])[] = [
    ['an error', answering('{}', 503), /answered 503$/],
    ['no JSON', answering('<html>sign in'), /something other than a version/],
    ['no version', answering('{"version":{}}'), /something other than a version/],
    ['control characters', answering('{"version":"1.0.0-\\u001b[2J"}'), /something other than a version/],
    ['a cut connection', request => request.socket.destroy(), /cannot be reached \(/],
    ['too much', answering('x'.repeat(1_000_001)), /sent more than 1000000 bytes$/],
  ]
  for (const [name, answer, message] of rows) {
    const { url } = await registry(t, answer)
    await t.rejects(fetchNewestVersion(url, {}), { name: 'Failure', message }, name)
  }
  const silent = await registry(t, () => {})
  await t.rejects(fetchNewestVersion(silent.url, {}, 20), { message: /did not answer within 20 ms$/ })
})

t.test('a proxy that Node does not use is named', async t => {
  const { url } = await registry(t, request => request.socket.destroy())
  const behind = { HTTPS_PROXY: 'http://127.0.0.1:9' }
  await t.rejects(fetchNewestVersion(url, behind), {
    message: /; Node uses HTTPS_PROXY only with NODE_USE_ENV/,
  })
  await t.rejects(fetchNewestVersion(url, { ...behind, NODE_USE_ENV_PROXY: '1' }), { message: /\)$/ })
})

t.test('versions are ordered by their numbers, a preview before its version', t => {
  for (const [older, newer] of [
    ['0.1.0', '0.1.1'],
    ['0.9.0', '0.10.0'],
    ['0.99.99', '1.0.0'],
    ['1.0.0-rc.1', '1.0.0'],
    ['0.9.0', '1.0.0-rc.1'],
  ] as const) {
    t.ok(isNewer(newer, older), `${newer} after ${older}`)
    t.notOk(isNewer(older, newer))
    t.notOk(isNewer(older, older))
  }
  t.notOk(isNewer('1.0.0+build.2', '1.0.0+build.1'), 'builds of one version are equal')
  t.end()
})
