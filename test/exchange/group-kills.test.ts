import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { verifyFile } from '../../src/verify/verify-file.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

/** More holders than are paid in a part, and more orders than are cleared in one. */
const HOLDERS = 70
const RESTING = 260

const lastBatch = (test: TestExchange) =>
  Number(test.rows<{ last: number }>('SELECT max(sequence) AS last FROM journal')[0]?.last)

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

for (const result of ['A', 'C', 'void']) {
  t.test(`a crash behind any commit of conversions and a settlement changes nothing: ${result}`, async t => {
    const group = await traded(t)
    const { test } = group
    const directory = t.testdirName
    const images: string[] = []
    let seen = lastBatch(test) - 1
    let isOver = false
    const take = () => {
      const last = lastBatch(test)
      if (last === seen) return
      if (last !== seen + 1) t.fail(`a commit was missed before ${last}`)
      seen = last
      images.push(test.crashImage(join(directory, `crash-${last}.db`)))
    }
    const life = liveOn(group, result).then(() => {
      isOver = true
    })
    while (!isOver) {
      take()
      await new Promise(setImmediate)
    }
    await life
    const expected = endOf(group)
    t.ok(test.exchange.moneyIsAllThere())
    t.ok(images.length > 15, `${images.length} images`)
    for (const [index, file] of images.entries()) {
      const image = await TestExchange.open(t, { file, startingBalance: 10_000, shardCount: 1 + (index % 3) })
      const [found] = image.exchange.groups.all()
      const again = TestGroup.of(image, found?.terms.code ?? group.code)
      await liveOn(again, result)
      t.same(endOf(again), expected, `after the commit of image ${index}`)
      t.ok(image.exchange.moneyIsAllThere())
      await image.close()
      t.same(wrong(verifyFile(file)), [])
    }
  })
}
