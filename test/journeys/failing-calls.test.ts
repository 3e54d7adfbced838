import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { FATAL, SURVIVED } from '../fixtures/calls/call-table.js'
import { callTrouble, FailingCalls } from '../fixtures/calls/failing-calls.js'
import { playFatal, playSurvived } from '../fixtures/calls/play-table.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'

const skip = callTrouble() ?? false
const ONE = { allErrors: false }

t.test('calls that fail beside the trading end nothing, and fail what needs them', { skip }, async t => {
  const report = (what: string, wrong: readonly string[]) => t.same(wrong, [], what)
  const rows = SURVIVED.filter(({ isSlow }) => !isSlow)
  await playSurvived({ t, failing: new FailingCalls(t), rows, ...ONE, report })
})

t.test('calls without which nothing can be kept end the exchange, which loses nothing', { skip }, async t => {
  const report = (what: string, wrong: readonly string[]) => t.same(wrong, [], what)
  await playFatal({
    t,
    failing: new FailingCalls(t),
    rows: FATAL.filter(({ isQuick }) => isQuick),
    ...ONE,
    report,
  })
})

t.test(
  'no statement of a running exchange needs room in the directory for temporary files',
  { skip },
  async t => {
    const failing = new FailingCalls(t)
    const child = fileURLToPath(new URL('../fixtures/calls/temporary-child.js', import.meta.url))
    const env = { ...process.env, ...failing.env }
    for (const [kind, expected] of [
      ['rewritten', /^SQLITE_/],
      ['served', /^done$/],
      ['companion', /^done$/],
    ] as const) {
      failing.begin({ calls: ['create'], error: 'ENOSPC', part: 'etilqs_' })
      const path = join(dataDirectory(t), 'some.db')
      const { stdout, stderr } = spawnSync(process.execPath, [child, kind, path], { env, encoding: 'utf8' })
      t.match(stdout, expected, `${kind} ${stderr}`)
      t.equal(failing.end() > 0, kind === 'rewritten', 'only a file that is rewritten asks for one')
    }
  },
)
