import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { groupsOf } from './groups.js'
import { runTestFiles } from './test-process.js'

const TAP = `import t from ${JSON.stringify(import.meta.resolve('tap'))}\n`
const HANG_MS = 60_000
const GOOD = "t.test('holds', async t => { t.pass('one'); t.pass('two') })"

/** Runs files with these texts in one process; returns a line for each report, and the names of those left. */
async function run(t: Test, texts: Readonly<Record<string, string>>, timeoutMs = HANG_MS) {
  const names = Object.keys(texts)
  const directory = t.testdir(Object.fromEntries(names.map(name => [`${name}.mjs`, TAP + texts[name]])))
  const files = names.map(name => ({ source: name, compiled: join(directory, `${name}.mjs`) }))
  const lines: string[] = []
  const seen: string[] = []
  const left = await runTestFiles(files, timeoutMs, ({ file, tally, trouble, stderr }) => {
    lines.push(`${file.source} ${tally.passed} ${tally.failures.length} ${trouble ?? 'ended well'}`)
    seen.push(...tally.failures.map(({ name }) => name), ...tally.seeds, stderr.trim())
  })
  return { lines, seen, left: left.map(({ source }) => source) }
}

t.test('files of one process are counted each on its own', async t => {
  const awaited = `await new Promise(resolve => setTimeout(resolve, 1))\nt.teardown(() => {})\n${GOOD}`
  const { lines, left } = await run(t, { first: awaited, second: GOOD, third: "t.pass('at once')" })
  t.same(lines, ['first 2 0 ended well', 'second 2 0 ended well', 'third 1 0 ended well'])
  t.same(left, [])
})

t.test('a failure is of its file only, and so are its seed and its words on stderr', async t => {
  const bad =
    "t.test('sums', async t => { t.comment('RAAY_SEED=17'); console.error('oh'); t.equal(1, 2, 'is') })"
  const { lines, seen } = await run(t, { first: GOOD, bad, last: GOOD })
  t.same(lines, ['first 2 0 ended well', 'bad 0 1 ended well', 'last 2 0 ended well'])
  t.same(
    seen.filter(text => text !== ''),
    ['sums > is', 'RAAY_SEED=17', 'oh'],
  )
})

t.test('a file that cannot be loaded fails, and those after it run', async t => {
  const { lines, seen, left } = await run(t, { bad: "import './nowhere.mjs'", last: GOOD })
  t.same(lines, ['bad 0 1 ended well', 'last 2 0 ended well'])
  t.match(seen[0], /^the file loads > Cannot find module/)
  t.same(left, [])
})

t.test('a file without an assertion fails', async t => {
  const { lines } = await run(t, { empty: '', last: GOOD })
  t.same(lines, ['empty 0 1 not one assertion', 'last 2 0 ended well'])
})

t.test('a file that ends its process is charged with it, and those not begun are returned', async t => {
  const kill = "t.test('dies', async t => { t.pass('yet'); process.kill(process.pid, 'SIGKILL') })"
  const killed = await run(t, { first: GOOD, kill, other: GOOD, last: GOOD })
  t.equal(killed.lines[0], 'first 2 0 ended well')
  t.match(killed.lines[1], /^kill \d [1-9] ended by SIGKILL$/)
  t.equal(killed.lines.length, 2)
  t.same(killed.left, ['other', 'last'])
})

t.test('a file that hangs is ended and named', async t => {
  const hang = "t.test('waits', () => new Promise(() => setInterval(() => {}, 1000)))"
  const { lines, left } = await run(t, { hang, last: GOOD }, 2_000)
  t.match(lines, [/^hang 0 [1-9] no end after 2 s$/])
  t.same(left, ['last'])
})

t.test('every file is in one group, and a room’s groups hold no other room’s files', t => {
  const sources = ['test/tidy.test.ts', 'test/web/languages.test.ts']
  for (const room of ['http', 'journeys', 'simulation', 'web']) {
    for (let number = 0; number < 20; number++) sources.push(`test/${room}/${number}.test.ts`)
  }
  const groups = groupsOf(sources.map(source => ({ source, compiled: '' })))
  t.same(groups.flatMap(group => group.map(({ source }) => source)).sort(), sources.sort())
  for (const group of groups) {
    t.equal(new Set(group.map(({ source }) => source.split('/')[1])).size, 1)
    const mustBeAlone = group.some(({ source }) => /tidy|languages|simulation/.test(source))
    t.ok(group.length === 1 || !mustBeAlone, `${group[0]?.source} and ${group.length - 1} more`)
  }
  t.end()
})
