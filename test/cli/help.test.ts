import t from 'tap'
import { callRaay } from '../fixtures/raay-call.js'
import { runRaay } from '../fixtures/raay-command.js'

const VERBS = [
  ...['start', 'demo', 'event', 'group', 'webhook', 'order', 'user', 'book'],
  ...['bench', 'config', 'doctor', 'backup', 'verify', 'version', 'licences', 'help'],
]

t.test('every verb has help with examples, and does not run when asked for it', async t => {
  const { stdout: overview } = await callRaay(['help'])
  for (const verb of VERBS) {
    const { stdout: asked } = await callRaay(['help', verb])
    t.match(
      asked,
      new RegExp(`^Usage: raay ${verb} .*\n\nExamples:\n  (?:\\w+=\\S+ )?raay ${verb}`, 's'),
      verb,
    )
    const flagged = await callRaay([verb, '--help'])
    t.same([flagged.code, flagged.stderr], [0, ''])
    t.equal(flagged.stdout, asked)
    t.match(overview, new RegExp(`^  ${verb} `, 'm'), 'it is in the overview')
  }
})

t.test('every action has help with its arguments, by three ways of asking', async t => {
  const { stdout: event } = await callRaay(['help', 'event'])
  t.match(event, /^ {2}resolve <code> <yes\|no> {2}/m)
  t.match(event, /^ {2}edit <code> {2}/m)
  const { stdout } = await callRaay(['help', 'event', 'resolve'])
  t.match(stdout, /^Usage: raay event resolve \[options\] <code> <yes\|no>\n/)
  for (const argv of [
    ['event', 'resolve', '--help'],
    ['event', 'resolve', '-h'],
  ]) {
    t.same(await callRaay(argv), { code: 0, stdout, stderr: '' })
  }
})

t.test('help shows choices, defaults and variables, and names the guides', async t => {
  const { stdout: start } = await callRaay(['help', 'start'])
  t.match(start, /^ {2}--port <n> .* \(default: 3000, env: RAAY_PORT\)$/m)
  t.match(start, /^ {2}--shards <n> .* \(default: cores − 1, at least 1, env: RAAY_SHARDS\)$/m)
  t.match(start, /^ {2}--demo {2,}made-up events/m)
  const { stdout: list } = await callRaay(['help', 'event', 'list'])
  t.match(list, '(choices: "scheduled", "open", "halted"')
  t.match(list, /\(default: the one that runs on --data\) \(env: RAAY_URL\)/)
  t.match((await callRaay([])).stdout, '/docs/guides')
})

t.test('help of an unknown verb or action is refused with the nearest name', async t => {
  const rows: readonly (readonly [string, string])[] = [
    ['help constructor', "raay: unknown command 'constructor'; see raay help\n"],
    ['help strat', "raay: unknown command 'strat' (Did you mean start?); see raay help\n"],
    ['help event edt', "raay: unknown command 'edt' (Did you mean edit?); see raay help event\n"],
    ['help version now', 'raay: usage: raay version\n'],
  ]
  for (const [line, stderr] of rows) {
    t.same(await callRaay(line.split(' ')), { code: 2, stdout: '', stderr }, line)
  }
})

t.test('help has colours where they are wanted, and none where NO_COLOR forbids them', async t => {
  t.notMatch((await runRaay(['help'])).stdout, '\u001b')
  t.match((await runRaay(['help'], { FORCE_COLOR: '1' })).stdout, '\u001b[1mUsage:')
  t.notMatch((await runRaay(['help'], { NO_COLOR: '1' })).stdout, '\u001b')
})

t.test('the version is printed for people and for programs', async t => {
  const { stdout } = await callRaay(['version', '--json'])
  const versions = JSON.parse(stdout) as { readonly version: string; readonly node: string }
  t.match(versions, { version: /^\d+\.\d+\.\d+/, node: process.version })
  for (const word of ['version', '--version', '-v']) {
    t.equal((await callRaay([word])).stdout, `raay ${versions.version}, node ${versions.node}\n`)
  }
  const wrong = await callRaay(['version', '--jsn'])
  t.same([wrong.code, wrong.stdout], [2, ''])
  t.match(wrong.stderr, "unknown option '--jsn' (Did you mean --json?); see raay help version")
})
