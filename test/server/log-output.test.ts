import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { LogOutput } from '../../src/server/log-output.js'
import { ServerClient } from '../fixtures/server/server-client.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'

const BIN = fileURLToPath(new URL('../../bundle/raay.js', import.meta.url))
const LINE = `${'x'.repeat(1023)}\n`

/** An output whose reader takes as many bytes as the test says, before it stalls. */
function stalled() {
  let written = ''
  let taken = 0
  let fault: string | undefined
  let again: (() => void) | undefined
  const output = new LogOutput(2, {
    write: bytes => {
      if (fault !== undefined || taken === 0) throw Object.assign(new Error(), { code: fault ?? 'EAGAIN' })
      const count = Math.min(taken, bytes.length)
      taken -= count
      written += bytes.subarray(0, count).toString()
      return count
    },
    later: run => {
      again = run
    },
  })
  const take = (count: number) => {
    taken = count
    const run = again
    again = undefined
    run?.()
  }
  const fail = (code: string | undefined) => {
    fault = code
  }
  return { output, take, fail, written: () => written }
}

t.test('lines leave in order, however little a reader takes at once', t => {
  const { output, written, take } = stalled()
  for (const line of ['one\n', 'two\n', 'three\n']) output.write(line)
  t.equal(written(), '')
  for (let time = 0; time < 7; time++) take(2)
  t.equal(written(), 'one\ntwo\nthree\n')
  t.end()
})

t.test('a reader that stalls costs lines, not memory, and hears how many', t => {
  const { output, written, take } = stalled()
  const dropped: number[] = []
  output.onRoom = count => dropped.push(count)
  for (let line = 0; line < 5000; line++) output.write(LINE)
  take(10_000_000)
  t.equal(written().length, 1024 * 1024)
  t.same(dropped, [5000 - 1024])
  output.write('on\n')
  t.ok(written().endsWith('on\n'), 'and then it hears everything again')
  t.same(dropped, [5000 - 1024], 'once')
  t.end()
})

t.test('an error loses the lines it hits and no others', t => {
  const { output, written, take, fail } = stalled()
  take(1000)
  fail('ENOSPC')
  output.write('lost\n')
  fail(undefined)
  output.write('kept\n')
  take(0)
  output.write('the last words\n')
  t.equal(written(), 'kept\n')
  take(6)
  output.finish()
  t.equal(written(), 'kept\nthe la', 'a reader that stalls at the end is not waited for')
  t.end()
})

t.test(
  'nobody reads the log, and the exchange trades and stops',
  { skip: process.platform !== 'linux' },
  async t => {
    const data = dataDirectory(t)
    const argv = [BIN, 'start', '--port', '0', '--data', data, '--access-log']
    const child = spawn(process.execPath, argv, {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.teardown(() => child.kill('SIGKILL'))
    // stderr is a pipe that is never read: it takes 64 KiB.
    const [text] = (await once(child.stdout, 'data')) as [Buffer]
    const [, url = ''] = /ready on (\S+)/.exec(text.toString()) ?? []
    const client = new ServerClient(url)
    for (let request = 0; request < 1500; request++) await client.get('/healthz')
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    t.same(await ended, [0, null])
  },
)

for (const [what, stdout] of [
  ['a full disk', () => openSync('/dev/full', 'w')],
  ['a closed pipe', () => 'pipe' as const],
] as const) {
  t.test(`stdout is ${what}, and the exchange starts`, { skip: process.platform !== 'linux' }, async t => {
    const argv = [BIN, 'start', '--port', '0', '--data', dataDirectory(t)]
    const child = spawn(process.execPath, argv, {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', stdout(), 'pipe'],
    })
    child.stdout?.destroy()
    t.teardown(() => child.kill('SIGKILL'))
    let log = ''
    for await (const chunk of child.stderr ?? []) {
      log += chunk
      if (log.includes('stdout cannot be written')) break
    }
    t.match(log, /stdout cannot be written/)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    t.same(await ended, [0, null])
  })
}
