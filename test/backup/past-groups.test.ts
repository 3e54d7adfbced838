import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { restorePast } from '../../src/backup/past/restore-past.js'
import { NO_FEE_SETTINGS } from '../../src/exchange/markets/fee-rates.js'
import type { Sequence } from '../../src/core/units.js'
import { followToEnd } from '../../src/follower/follower.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { fund } from '../fixtures/house-exchange.js'
import { rowsIn } from '../fixtures/restore/past-states.js'
import { START, TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

const VERIFIED_EACH = 5

/** Lets a group and an event live with house quotes and fees, to their ends. */
async function live(test: TestExchange): Promise<void> {
  const group = await TestGroup.create(test, 4)
  const { exchange } = test
  const { funding } = exchange.house
  await funding.fund(funding.evenly(group.group.markets, 1_000_000 as never, { step: 100 as never }))
  await exchange.drain()
  await group.play('A: asha sell 0.5 @ 1', 'B: asha sell 0.4 @ 1', 'A: ben buy 0.3 @ 6', 'C: ben buy 0.2 @ 9')
  await group.convert('asha release 0.3 of AB', 'first')
  await group.convert('ben build 0.1 of -', 'second')
  await exchange.moveMarket(group.market('A'), 'halt')
  await group.play('B: cora buy 0.3 @ 9')
  await exchange.moveMarket(group.market('A'), 'resume')
  await exchange.house.stop(group.market('B'))
  await exchange.drain()
  await fund(test, { budget: 20, start: 3, step: 1 }, group.codeOf('B'))
  await group.play('B: cora sell 0.3 @ 1')
  await group.close('D')
  await group.resolveOne('D', 'no')
  await group.convert('asha release 0.1 of A', 'third')
  const { code } = (await test.create()).terms
  await fund(test, { budget: 30, start: 5, step: 1 }, code)
  await test.playAll(['asha buy 1 @ 8', 'ben sell 2 @ 2', 'cora buy 0.5 @ 9'], code)
  const event = exchange.market(code)
  if (event === undefined) throw new Error('an event stays')
  await exchange.moveMarket(event, 'close')
  await exchange.resolveMarket(event, { outcome: 'void' })
  await group.close('ABC')
  await group.resolve('A')
}

t.test('is at every sequence of a group and of house quotes as it was then, and verifies', async t => {
  const rates = { ...NO_FEE_SETTINGS, taker: 100, maker: 50 }
  const test = await TestExchange.open(t, { fees: rates, shardCount: 1 })
  const directory = t.testdirName
  const images: string[] = []
  let isOver = false
  const life = live(test).then(() => {
    isOver = true
  })
  let seen = 0
  while (!isOver) {
    const [row] = test.rows<{ last: number | null }>('SELECT max(sequence) AS last FROM journal')
    const last = row?.last ?? 0
    if (last > seen) {
      if (last !== seen + 1) t.fail(`a commit was missed before ${last}`)
      seen = last
      mkdirSync(join(directory, `image-${last}`))
      images.push(test.crashImage(join(directory, `image-${last}`, 'raay.db')))
    }
    await new Promise(setImmediate)
  }
  await life
  await test.exchange.drain()
  t.equal(test.rows('SELECT 1 FROM conversions').length, 3, 'all conversions were made')
  t.equal(test.rows("SELECT 1 FROM accounts WHERE owner LIKE 'maker:%' AND cash <> 0").length, 0)
  const kinds = new Set(test.journalled().map(({ type }) => type))
  for (const kind of [
    'CONVERT',
    'REQUOTE_HOUSE',
    'STOP_QUOTES',
    'RETURN_HOUSE_MONEY',
    'RESOLVE_GROUP',
  ] as const)
    t.ok(kinds.has(kind), kind)
  await test.close()
  t.comment(`${images.length} batches`)
  for (const [index, image] of images.entries()) {
    const sequence = (index + 1) as Sequence
    followToEnd(image, sequence)
    // What is restored has the same rows, and was verified.
    if (sequence % VERIFIED_EACH === 0) t.same(wrong(verifyFile(image)), [], `verifies at ${sequence}`)
    const target = join(directory, `past-${sequence}`)
    const request = { point: { sequence }, directory: target, overwrite: false, now: () => START }
    const made = await restorePast({ source: () => dirname(test.file), ...request }, () => undefined)
    t.equal(made.sequence, sequence)
    t.equal(rowsIn(join(target, 'raay.db')), rowsIn(image), `the past is as it was at ${sequence}`)
  }
})
