import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { CLEAR_LENGTH_MAX } from '../../src/core/command.js'
import { openReadOnly } from '../../src/store/database.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

/** More holders than are paid in a part, and more orders than are cleared in one. */
const HOLDERS = 70
const RESTING = 260

/** Lets a group trade: asha has NO of A and B, each holder YES of C; orders rest in B. */
async function traded(t: Test): Promise<TestGroup> {
  const test = await TestExchange.open(t, { startingBalance: 10_000 })
  const group = await TestGroup.create(test, 4)
  await group.play('A: ben buy 5 @ 4', 'A: asha sell 5 @ 4', 'B: ben buy 5 @ 3', 'B: asha sell 5 @ 3')
  const holders = Array.from({ length: HOLDERS }, (_, index) => `holder${index}`)
  await test.place(`cora sell ${HOLDERS} @ 5`, group.codeOf('C'))
  await Promise.all(holders.map(user => test.place(`${user} buy 1 @ 5`, group.codeOf('C'))))
  const resting = Array.from({ length: RESTING }, () => test.place('crowd buy 0.1 @ 0.5', group.codeOf('B')))
  await Promise.all(resting)
  await test.exchange.drain()
  return group
}

/** Does all that is left of the day, some of it perhaps again: each step has a name, or happens once. */
async function liveOn(group: TestGroup, result: string): Promise<void> {
  await group.convert('asha release 3 of AB', 'first')
  await group.convert('asha build 2 of -', 'second')
  if (group.market('D').progress.outcome === undefined) await group.close('D')
  await group.resolveOne('D', 'no')
  await group.convert('asha release 1 of A', 'third')
  if (group.group.live.length > 0) await group.close('ABC')
  await group.resolve(result)
  await group.finish()
}

function endOf(group: TestGroup): unknown {
  const users = ['asha', 'ben', 'cora', 'crowd', 'holder0', `holder${HOLDERS - 1}`]
  const { test } = group
  return [
    group.statuses(),
    group.group.progress,
    users.map(user => [test.money(user), group.contracts(user)]),
    test.rows('SELECT market, account, outcome, payment FROM settlements ORDER BY market, account'),
    test.rows('SELECT number, direction, lots, cash FROM conversions ORDER BY number'),
    test.rows('SELECT owner, cash, held FROM accounts ORDER BY number'),
  ]
}

/** Lets a group live on, and returns a crash image behind each commit. */
async function imagesOf(t: Test, { test }: TestGroup, live: () => Promise<void>, onCommit = () => {}) {
  const directory = t.testdirName
  const images: string[] = []
  const reader = openReadOnly(test.file)
  const newest = reader.prepare<unknown[], number>('SELECT max(sequence) FROM journal').pluck()
  const lastBatch = () => newest.get() ?? 0
  let seen = lastBatch() - 1
  let isOver = false
  const life = live().then(() => {
    isOver = true
  })
  while (!isOver) {
    const last = lastBatch()
    if (last !== seen) {
      if (last !== seen + 1) t.fail(`a commit was missed before ${last}`)
      seen = last
      onCommit()
      images.push(test.crashImage(join(directory, `crash-${last}.db`)))
    }
    await new Promise(setImmediate)
  }
  await life
  reader.close()
  t.ok(test.exchange.moneyIsAllThere())
  return images
}

/** Asserts that a group that starts from each image ends in the same way. */
async function assertSameEnd(
  t: Test,
  group: TestGroup,
  images: readonly string[],
  live: (group: TestGroup) => Promise<void>,
) {
  const expected = endOf(group)
  for (const [index, file] of images.entries()) {
    const image = await TestExchange.open(t, { file, startingBalance: 10_000, shardCount: 1 + (index % 3) })
    const [found] = image.exchange.groups.all()
    const again = TestGroup.of(image, found?.terms.code ?? group.code)
    await live(again)
    t.same(endOf(again), expected, `after the commit of image ${index}`)
    t.ok(image.exchange.moneyIsAllThere())
    await image.close()
    t.same(wrong(verifyFile(file)), [])
  }
}

for (const result of ['A', 'C', 'void']) {
  t.test(`a crash behind any commit of conversions and a settlement changes nothing: ${result}`, async t => {
    const group = await traded(t)
    const images = await imagesOf(t, group, () => liveOn(group, result))
    t.ok(images.length > 15, `${images.length} images`)
    await assertSameEnd(t, group, images, again => liveOn(again, result))
  })
}

const ends: Readonly<Record<string, (of: TestGroup) => Promise<unknown>>> = {
  'a void': of => of.resolve('void'),
  'closing a group': async of => {
    await of.test.exchange.groups.move(of.group, 'close')
    await of.finish()
  },
}

for (const [name, end] of Object.entries(ends)) {
  t.test(`${name} cancels the orders of all books in parts, and survives a crash between them`, t =>
    assertClearedInParts(t, end),
  )
}

async function assertClearedInParts(t: Test, end: (of: TestGroup) => Promise<unknown>): Promise<void> {
  const group = await traded(t)
  const { test } = group
  const crowds = ['A', 'C', 'D'].flatMap(letter =>
    Array.from({ length: 100 }, () => test.place('crowd buy 0.1 @ 0.5', group.codeOf(letter))),
  )
  await Promise.all(crowds)
  await test.exchange.drain()
  const resting = () => group.group.markets.reduce((sum, { openOrders }) => sum + openOrders.size, 0)
  const counts = [resting()]
  const live = async (of: TestGroup) => {
    await end(of)
  }
  const images = await imagesOf(
    t,
    group,
    () => live(group),
    () => counts.push(resting()),
  )
  t.equal(counts[0], RESTING + 300)
  t.equal(resting(), 0)
  for (const [index, count] of counts.entries()) {
    const part = (counts[index - 1] ?? count) - count
    t.ok(part <= CLEAR_LENGTH_MAX, `${part} orders are cancelled in one batch`)
  }
  await assertSameEnd(t, group, images, live)
}
