import { join } from 'node:path'
import type { Test } from 'tap'
import type { TimeMs } from '../../src/core/units.js'
import { compactFiles } from '../../src/store/archive/compact-files.js'
import { moveToArchive } from '../../src/store/archive/move-to-archive.js'
import { fileBytes } from '../../src/store/files/file-bytes.js'
import { heldMemory, listedMemory } from '../fixtures/held-memory.js'
import { appOn } from '../fixtures/http-scenario.js'
import { memoryDirectory } from '../fixtures/server/server-directory.js'
import { LISTS, SmallYear } from '../fixtures/small-year.js'
import { HOUR, TestExchange } from '../fixtures/test-exchange.js'

const PARTS = 4
const STARTS = 3
const REQUESTS = 15
const KEPT_MS = 30 * 24 * HOUR
/** The growth of a collection with each event that is something under way. */
const NOISE_BYTES = 2
/** Made at the first use of something that the first quarter did without. */
const FIRST_USE_BYTES = 4096
/** Held by this proof itself, or by V8. */
const OUTSIDE = /^\(Stack roots\)|^system \/ /
/** The cost of a start or a list at the end: at most this multiple of that after the first quarter, and more. */
const [RATIO_MAX, MORE_MS] = [2, 3]
/** A start reads a row for each event and each user, so that it may take this much longer for each event. */
const START_MS = 0.05

interface Reading {
  readonly bytes: ReadonlyMap<string, number>
  readonly startMs: number
  readonly lists: ReadonlyMap<string, number>
}

/**
 * Plays a year of small events, archives what is older than a month after each quarter, and compares the end with
 * the first quarter: memory, starts and every list. Returns true if they are flat.
 */
export async function proveYear(events: number, say: (line: string) => void): Promise<boolean> {
  const ends: (() => unknown)[] = []
  try {
    const t = { teardown: (end: () => unknown) => void ends.unshift(end) } as unknown as Test
    const test = await TestExchange.open(t, { file: join(memoryDirectory(t), 'raay.db') })
    const year = new SmallYear(test)
    const readings: Reading[] = []
    for (let part = 1; part <= PARTS; part++) {
      const begun = performance.now()
      await year.play(events / PARTS)
      const played = ((performance.now() - begun) / 1000).toFixed(0)
      readings.push(
        await look(test, `${(part * events) / PARTS} events, the last quarter in ${played} s`, say),
      )
    }
    const [first, last] = [readings[0], readings.at(-1)]
    if (first === undefined || last === undefined) return false
    const wrong = [...growth(first, last, (events * (PARTS - 1)) / PARTS)]
    if (!test.exchange.moneyIsAllThere()) wrong.push('the money is not all there')
    for (const line of wrong) say(`FAILED ${line}`)
    return wrong.length === 0
  } finally {
    for (const end of ends) await end()
  }
}

async function look(test: TestExchange, after: string, say: (line: string) => void): Promise<Reading> {
  const bytes = await heldMemory()
  await test.close()
  moveToArchive(test.file, (test.now - KEPT_MS) as TimeMs)
  compactFiles(test.file)
  const { database, journal, archive } = await fileBytes(test.file)
  await test.restart()
  const startMs = await median(STARTS, () => test.restart())
  const { app } = appOn(test)
  const lists = new Map<string, number>()
  for (const path of LISTS) {
    const ms = await median(REQUESTS, async () => {
      const response = await app.request(path)
      if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
      await response.text()
    })
    lists.set(path, ms)
  }
  const [slowest = ['', 0]] = [...lists].sort(([, a], [, b]) => b - a)
  const held = megabytes([...bytes.values()].reduce((sum, count) => sum + count, 0))
  say(
    `${after}: collections of ${held}, a start ${startMs.toFixed(0)} ms, slowest list ${slowest[1].toFixed(1)} ms ` +
      `(${slowest[0]}), tables ${megabytes(database)}, journal ${megabytes(journal)}, archive ${megabytes(archive)}`,
  )
  return { bytes: new Map(bytes), startMs, lists }
}

/** Yields what has grown between two readings, between which nothing but events has ended. */
function* growth(first: Reading, last: Reading, events: number): Generator<string> {
  const bounds = listedMemory()
  for (const [name, bytes] of last.bytes) {
    if (OUTSIDE.test(name)) continue
    // Short buffers are parts of one that Node shares among them.
    const shared = name === 'Buffer.buffer' ? Buffer.poolSize : 0
    const more = (bytes - (first.bytes.get(name) ?? 0) - shared - FIRST_USE_BYTES) / events
    const bound = bounds.get(name) ?? NOISE_BYTES
    if (more > bound) yield `${name} grows by ${more.toFixed(1)} bytes with each event, not by ${bound}`
  }
  if (last.startMs > RATIO_MAX * first.startMs + START_MS * events)
    yield `a start takes ${last.startMs.toFixed(0)} ms, and took ${first.startMs.toFixed(0)}`
  for (const [path, ms] of last.lists) {
    const before = first.lists.get(path) ?? 0
    if (ms > RATIO_MAX * before + MORE_MS)
      yield `${path} takes ${ms.toFixed(1)} ms, and took ${before.toFixed(1)}`
  }
}

/** Returns the median processor time, which other programs on the machine do not change much. */
async function median(count: number, run: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let repeat = 0; repeat < count; repeat++) {
    const begun = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(begun)
    times.push((user + system) / 1000)
  }
  return times.sort((a, b) => a - b)[Math.floor(count / 2)] ?? 0
}

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`
