import t from 'tap'
import { runRaay } from '../fixtures/raay-command.js'

t.test('every verb has its help, with examples, and none is run for it', async t => {
  const { stdout: overview } = await runRaay(['help'])
  for (const verb of ['start', 'event', 'order', 'user', 'book', 'bench', 'doctor', 'verify', 'version']) {
    const { stdout: asked } = await runRaay(['help', verb])
    t.match(asked, new RegExp(`^raay ${verb}: .*\n\nExamples\n  (?:\\w+=\\S+ )?raay ${verb}`, 's'), verb)
    const flagged = await runRaay([verb, '--help'])
    t.same([flagged.code, flagged.stderr], [0, ''])
    t.equal(flagged.stdout, asked)
    t.match(overview, new RegExp(`^  raay ${verb} `, 'm'), 'it is in the overview')
  }
})

t.test('help names the actions, with examples', async t => {
  for (const argv of [
    ['help', 'event'],
    ['event', '--help'],
    ['event', 'resolve', '-h'],
  ]) {
    t.match((await runRaay(argv)).stdout, 'raay event resolve <code> yes|no')
  }
  const odd = await runRaay(['help', 'constructor'])
  t.same([odd.code, odd.stderr], [0, ''])
  t.match(odd.stdout, 'raay start')
})

t.test('the version is told to people and to programs', async t => {
  const { stdout } = await runRaay(['version', '--json'])
  const versions = JSON.parse(stdout) as { readonly version: string; readonly node: string }
  t.match(versions, { version: /^\d+\.\d+\.\d+/, node: process.version })
  for (const word of ['version', '--version', '-v']) {
    t.equal((await runRaay([word])).stdout, `raay ${versions.version}, node ${versions.node}\n`)
  }
  const wrong = await runRaay(['version', '--jsn'])
  t.same([wrong.code, wrong.stdout], [2, ''])
  t.match(wrong.stderr, "Unknown option '--jsn', but there is --json; raay help version")
})
