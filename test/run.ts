import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { memoryDirectory } from './fixtures/server/server-directory.js'
import { groupsOf } from './runner/groups.js'
import { withSourcePlaces } from './runner/source-places.js'
import { indent } from './runner/tap-tally.js'
import type { FileReport, TestFile } from './runner/test-process.js'
import { endRunningTests, runTestFiles } from './runner/test-process.js'

/**
 * `npm test`: runs every file below test/ that is called *.test.ts, or those whose path holds one of the
 * arguments, and ends with the line `N passed, N failed`. Files of some rooms share a process; each has its own line.
 * The list comes from the sources, so a compiled test whose source is gone stays out. The exit code is 0 only
 * when something ran and nothing failed.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const TEST_SUFFIX = '.test.ts'
const RUNNING_MAX = 3
/** Only ends a file that hangs: on an overloaded machine a good one may take minutes. */
const FILE_TIMEOUT_MS = Number(process.env.TEST_TIMEOUT_MS ?? 600_000)

await main(process.argv.slice(2))

async function main(wanted: readonly string[]): Promise<void> {
  process.exitCode = 1
  process.on('exit', endRunningTests)
  // What tests lay out is in memory, if there is room: their thousands of syncs would be most of the time of many.
  process.env.TAP_CWD ??= memoryDirectory({ teardown: end => process.on('exit', end) })
  process.on('SIGINT', () => process.exit(130))
  process.on('SIGTERM', () => process.exit(143))

  const files = testFiles().filter(
    ({ source }) => wanted.length === 0 || wanted.some(part => source.includes(part)),
  )
  if (files.length === 0) say(`No test file's path holds ${wanted.join(' or ') || 'anything'}.`)

  const reports: FileReport[] = []
  const waiting = groupsOf(files)
  const conclude = (report: FileReport) => {
    reports.push(report)
    show(report)
  }
  const runWaiting = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const kept = await runTestFiles(group, FILE_TIMEOUT_MS, conclude)
      for (const file of kept) waiting.push([file])
    }
  }
  await Promise.all(Array.from({ length: RUNNING_MAX }, runWaiting))
  sum(reports)
}

function testFiles(): TestFile[] {
  return readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith(TEST_SUFFIX))
    .sort()
    .map(path => ({
      source: `test/${path.replaceAll('\\', '/')}`,
      compiled: join(ROOT, 'dist', 'test', path.replace(/ts$/, 'js')),
    }))
}

function show({ file, tally, trouble, stderr, durationMs }: FileReport): void {
  const isGood = tally.failures.length === 0
  const counts = `${tally.passed} passed${isGood ? '' : `, ${tally.failures.length} failed`}`
  const seconds = `${(durationMs / 1000).toFixed(1)} s`
  const end = trouble === undefined ? '' : `  (${trouble})`
  say(`${isGood ? 'ok    ' : 'FAILED'} ${file.source}  ${counts}  ${seconds}${end}`)
  for (const { name, detail } of tally.skips) say(`  skipped: ${name}: ${detail}`)
  if (isGood) return

  for (const { name, detail } of tally.failures) {
    say(`\n  ✗ ${name}`)
    if (detail !== '') say(shown(detail))
  }
  const seed = tally.seeds.size > 0 ? `, with ${[...tally.seeds].join(' or ')}` : ''
  say(`  To run it again: node dist/test/run.js ${file.source}${seed}`)
  if (tally.extra.trim() !== '') say(`\n  It wrote on stdout:\n${shown(tally.extra.trimEnd())}`)
  if (stderr.trim() !== '') say(`\n  It wrote on stderr:\n${shown(stderr.trimEnd())}`)
  say('')
}

function shown(text: string): string {
  return indent(indent(withSourcePlaces(text)))
}

function sum(reports: readonly FileReport[]): void {
  let passed = 0
  let failed = 0
  let skipped = 0
  for (const { tally } of reports) {
    passed += tally.passed
    failed += tally.failures.length
    skipped += tally.skips.length
  }
  if (failed === 0 && passed > 0) process.exitCode = 0
  say(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
