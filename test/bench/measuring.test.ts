import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { comparisonTable, ratioText } from './measuring/comparison.js'
import { costsBetween, cpuUsIn, readCosts, writtenBytesIn } from './measuring/costs.js'
import { machineTimeIn, shareOfOthers } from './measuring/machine.js'
import { buildCommit } from './measuring/other-build.js'
import type { Measured } from './measuring/rounds.js'
import { readWrk } from './measuring/wrk.js'

const run = promisify(execFile)

const SUMMARY = {
  answers: 30_000,
  durationUs: 3_000_000,
  p50Us: 4500,
  p99Us: 12_000,
  others: 0,
  other: '',
  broken: 0,
  late: 0,
}
const printed = (changed: Partial<typeof SUMMARY> = {}) =>
  `Running 3s test @ http://127.0.0.1:1\n  1 threads and 50 connections\n\n${JSON.stringify({ ...SUMMARY, ...changed })}\n`

t.test('reads rates a second and milliseconds from what wrk prints', async t => {
  t.same(readWrk(printed()), { answers: 30_000, perSecond: 10_000, p50: 4.5, p99: 12 })
})

t.test('takes no figure from a load that was not answered throughout', async t => {
  const cases: readonly [Partial<typeof SUMMARY>, RegExp][] = [
    [{ others: 1, other: '503 busy' }, /^1 of 30000 requests were answered otherwise: 503 busy$/],
    [{ broken: 2 }, /^2 connections broke, 0 answers were late$/],
    [{ late: 3 }, /^0 connections broke, 3 answers were late$/],
    [{ answers: 0 }, /^no request was answered$/],
  ]
  for (const [changed, message] of cases) t.throws(() => readWrk(printed(changed)), { message })
  t.throws(() => readWrk('Running 3s test\nunable to connect\n'), { message: /printed no summary/ })
})

/** A line of /proc/PID/task/TID/stat; the name is one that a careless reader would split. */
const STAT = `17 (a) R 1 (b) S 1 1 1 0 -1 4194560 19 0 0 0 123 45 0 0 20 0 11 0 99 1 2 3`

t.test('reads the processor time of a thread', async t => {
  t.equal(cpuUsIn('2500000 99 7\n', STAT), 2500, 'in nanoseconds from schedstat')
  t.equal(cpuUsIn('0 0 0\n', STAT), 1_680_000, 'in ticks from stat where schedstat is kept at 0')
  t.equal(cpuUsIn(undefined, STAT), 1_680_000, 'in ticks from stat without schedstat')
  t.equal(cpuUsIn(undefined, undefined), 0, 'none of a thread that has just ended')
})

t.test('reads the bytes written of a process', async t => {
  const io = 'rchar: 1\nwchar: 999\nwrite_bytes: 8192\ncancelled_write_bytes: 4096\n'
  t.equal(writtenBytesIn(io), 4096, 'less those cancelled, and not those that stayed in memory')
  t.equal(writtenBytesIn('rchar: 1\nwchar: 2\n'), undefined, 'unless the kernel does not count them')
  t.equal(writtenBytesIn(undefined), undefined, 'unless they may not be read')
})

t.test('takes the costs in between, thread by thread', async t => {
  const before = { cpuUs: new Map(Object.entries({ main: 100, others: 50 })), writtenBytes: 1000 }
  const after = { cpuUs: new Map(Object.entries({ main: 350, shard: 70, others: 20 })), writtenBytes: 5000 }
  const { cpuUs, writtenBytes } = costsBetween(before, after)
  t.same([...cpuUs], [...Object.entries({ main: 250, shard: 70, others: 0 })], 'never less than nothing')
  t.equal(writtenBytes, 4000)
  t.equal(costsBetween({ ...before, writtenBytes: undefined }, after).writtenBytes, undefined)
})

t.test('tells how much of the cores others took', async t => {
  const stat = (user: number, idle: number) => `cpu  ${user} 10 20 ${idle} 5 0 3 2 0 0\ncpu0 1 2 3\n`
  const before = machineTimeIn(stat(100, 500), STAT)
  t.same(before, { total: 640, busy: 135, own: 168 }, 'children count with their parent')
  const after = { ...machineTimeIn(stat(250, 550), STAT), own: 198 }
  const server = (us: number) => ({ cpuUs: new Map([['main', us]]), writtenBytes: 0 })
  t.equal(shareOfOthers(before, after, server(600_000)), 0.3, '150 of 200 busy, 30 by us, 60 by the server')
  t.equal(shareOfOthers(before, after, server(9_000_000)), 0, 'never less than nothing')
  t.equal(shareOfOthers(before, before, server(1)), undefined, 'nothing where no time passed')
})

t.test('reads its own costs', { skip: process.platform !== 'linux' && 'Linux only' }, async t => {
  const names = t.testdir({})
  const main = readCosts(process.pid, names)?.cpuUs.get('main') ?? 0
  t.ok(main > 0)
  t.ok((readCosts(process.pid, names)?.cpuUs.get('others') ?? 0) > 0, 'those without a name together')
  t.equal(readCosts(2 ** 30, names), undefined, 'none of a process that does not exist')
})

t.test('compares rounds of the same number', async t => {
  t.equal(ratioText([10, 30, 20], [10, 10, 10]), '2.00 (1.00 to 3.00)')
  t.equal(ratioText([10, 20, undefined], [5, 5, 5]), '4.00 (2.00 to 4.00)', 'leaves out what is unknown')
  t.equal(ratioText([10], [0]), '-', 'and divides by nothing')
  t.equal(ratioText([], []), '-')
})

const round = (perSecond: number, costs: Measured['costs'], batches: readonly number[] = []): Measured => ({
  ...{
    answers: perSecond,
    orders: perSecond,
    perSecond,
    p50: 1,
    p99: 2,
    costs,
    batches,
    otherShare: costs && 0.25,
  },
})

t.test('shows medians, ratios of each round, costs and batches', async t => {
  const costs = {
    cpuUs: new Map(Object.entries({ others: 500, main: 4000, shard: 2000 })),
    writtenBytes: 9000,
  }
  const own = [round(100, costs, [3, 5]), round(200, costs), round(300, costs, [4])]
  const table = comparisonTable(
    new Map(Object.entries({ 'this build': own, 'no-op': own.map(() => round(400, undefined)) })),
  )
  const rows = table.split('\n').map(line => line.trim().split(/ {2,}/))
  t.same(rows, [
    ['this build', 'no-op', '÷ no-op'],
    ['orders a second', '200', '400', '0.50 (0.25 to 0.75)'],
    ['p50 ms', '1.0', '1.0', '1.00 (1.00 to 1.00)'],
    ['p99 ms', '2.0', '2.0', '1.00 (1.00 to 1.00)'],
    ['CPU µs an order', '32.5', '-', '-'],
    ['main', '20.0', '-', '-'],
    ['shard', '10.0', '-', '-'],
    ['others', '2.5', '-', '-'],
    ['bytes written an order', '45', '-', '-'],
    ['commands a batch', '3 / 4 / 5', '-'],
    ['cores used by others', '25 %', '-'],
  ])
})

t.test('leaves out the rows that the system does not report', async t => {
  const table = comparisonTable(new Map(Object.entries({ 'this build': [round(100, undefined)] })))
  t.notMatch(table, /CPU|bytes/)
})

t.test('goes without a commit that cannot be built, and says so', async t => {
  const said: string[] = []
  t.equal(
    buildCommit('0000000', line => said.push(line)),
    undefined,
  )
  t.equal(said.length, 1)
  t.match(said[0], /^without commit 0000000, which cannot be built here: /)
})

t.test('proofs and benchmarks print their usage, and one line for an option they do not know', async t => {
  for (const [what, usage] of [
    ['prove', /^npm run prove -- /],
    ['bench', /^npm run bench -- /],
  ] as const) {
    const program = fileURLToPath(new URL(`../${what}/run.js`, import.meta.url))
    t.match(await run(process.execPath, [program, '--help']), { stdout: usage, stderr: '' }, what)
    const wrong = run(process.execPath, [program, '--nonsense'])
    await t.rejects(wrong, { code: 2, stdout: '', stderr: /^[^\n]*--nonsense[^\n]*see --help\n$/ }, what)
  }
})
