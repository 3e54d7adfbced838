import t from 'tap'
import { OpenPairs } from '../../src/engine/open-pairs.js'
import { ShardGroup } from '../../src/engine/shard-group.js'
import { SettlementWalk } from '../../src/exchange/markets/settlement-walk.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { Dice } from '../fixtures/dice.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

const USERS = ['asha', 'ben', 'cora', 'dev', 'esha'] as const
const STEPS = 40
const GROUPS = 2
/** Groups in which a planted fault must have been noticed. */
const PLANTED_GROUPS = 30
const TURNS_MAX = 2000

/** One random step: an order, a conversion either way, an elimination, or a restart. */
async function act(dice: Dice, group: TestGroup): Promise<string> {
  const live = group.group.live.map(({ listing }) => listing.label ?? '') as [string, ...string[]]
  const user = dice.oneOf(USERS)
  const letter = dice.oneOf(live)
  const what = dice.between(1, 100)
  if (what <= 60) {
    const order = `${user} ${dice.oneOf(['buy', 'sell'])} ${dice.between(1, 6)} @ ${dice.between(2, 8)}`
    return `${letter}: ${order} ${await group.play(`${letter}: ${order}`)}`
  }
  if (what <= 95) {
    const letters = live.filter(() => dice.percent(50)).join('') || '-'
    const text = `${user} ${dice.oneOf(['release', 'build'])} ${dice.between(1, 4)} of ${letters}`
    return `${text} ${await group.convert(text)}`
  }
  if (what <= 97 && live.length > 2) {
    await group.close(letter)
    return `eliminate ${letter}: ${await group.resolveOne(letter, 'no')}`
  }
  await group.test.restart()
  return 'restart'
}

/** Gives everyone an account and complete sets: then some conversions are possible, whatever is drawn. */
async function buildSets(group: TestGroup): Promise<void> {
  for (const user of USERS) {
    await group.play(`A: ${user} buy 1 @ 1`)
    await group.convert(`${user} build 5 of -`)
  }
}

/** Lets a group live from its creation to its end; returns a rule that was broken, and what led to it. */
async function live(
  test: TestExchange,
  dice: Dice,
  counts: { conversions: number },
): Promise<string | undefined> {
  const group = await TestGroup.create(test, dice.between(2, 6))
  await buildSets(group)
  counts.conversions -= group.group.progress.conversions
  const story: string[] = []
  const broken = (rule: string) => `${rule}, after\n${story.join('\n')}`
  for (let step = 0; step < STEPS; step++) {
    story.push(await act(dice, group))
    const { escrow, byWinner } = await group.payouts()
    if (byWinner.some(payout => payout !== escrow)) return broken(`escrow ${escrow}, by winner ${byWinner}`)
    if (!test.exchange.moneyIsAllThere()) return broken('money is missing')
  }
  counts.conversions += group.group.progress.conversions
  await group.close()
  await group.resolve(dice.percent(30) ? 'void' : (group.group.live[0]?.listing.label ?? ''))
  if ((await group.payouts()).escrow !== 0) return broken('the escrow of a settled group is not empty')
  const left = USERS.filter(user => group.contracts(user) !== 'nothing')
  if (left.length > 0) return broken(`${left} hold contracts of a settled group`)
  await test.close()
  const [fault] = wrong(verifyFile(test.file))
  return fault === undefined ? undefined : broken(JSON.stringify(fault))
}

t.test('whatever is traded and converted, the escrow is what each possible winner would be paid', async t => {
  const dice = Dice.fromEnvironment(t)
  const counts = { conversions: 0 }
  for (let round = 0; round < GROUPS; round++) {
    const test = await TestExchange.open(t, { shardCount: dice.between(1, 3) })
    t.equal(await live(test, dice, counts), undefined)
  }
  t.ok(counts.conversions > 0, `${counts.conversions} conversions were made`)
})

/** Faults, each planted in a class until it is called to remove it again. */
const PLANTS: Readonly<Record<string, () => () => void>> = {
  'a conversion does not count the sets that it completes': () => {
    const { convert } = ShardGroup.prototype
    ShardGroup.prototype.convert = function (...given) {
      const before = this.sets.count
      convert.apply(this, given)
      this.sets.count = before
    }
    return () => {
      ShardGroup.prototype.convert = convert
    }
  },
  'a conversion completes the sets twice': () => {
    const { convert } = ShardGroup.prototype
    ShardGroup.prototype.convert = function (...given) {
      const before = this.sets.count
      convert.apply(this, given)
      this.sets.count += this.sets.count - before
    }
    return () => {
      ShardGroup.prototype.convert = convert
    }
  },
  'the pairs of a winner are not among the sets that are paid': () => {
    const { resolve } = OpenPairs.prototype
    OpenPairs.prototype.resolve = function (outcome) {
      resolve.call(this, outcome === 'yes' ? 'void' : outcome)
    }
    return () => {
      OpenPairs.prototype.resolve = resolve
    }
  },
  'a part of a settlement is lost': () => {
    const { next } = SettlementWalk.prototype
    SettlementWalk.prototype.next = function () {
      return next.call(this).slice(1)
    }
    return () => {
      SettlementWalk.prototype.next = next
    }
  },
}

/** Resolves once the exchange has stopped for a broken rule, or another has taken its place. */
async function stopped({ failures }: TestExchange, isOver: () => boolean): Promise<string | undefined> {
  while (failures.length === 0 && !isOver()) await new Promise(setImmediate)
  return failures[0]?.message
}

for (const [fault, plant] of Object.entries(PLANTS)) {
  t.test(`it is noticed if ${fault}`, async t => {
    const dice = Dice.fromEnvironment(t)
    t.teardown(plant())
    let found: string | undefined
    for (let round = 0; round < PLANTED_GROUPS && found === undefined; round++) {
      const test = await TestExchange.open(t)
      test.threw = error => test.failures.push(error as Error)
      let isOver = false
      const life = live(test, dice, { conversions: 0 }).finally(() => {
        isOver = true
      })
      found = await Promise.race([life, stopped(test, () => isOver)])
      // Whatever still ends, ends before the files are removed; what waits for a stopped exchange never does.
      for (let turn = 0; turn < TURNS_MAX && !isOver; turn++) await new Promise(setImmediate)
    }
    t.not(found, undefined)
  })
}

t.test('a conversion changes what no outcome pays its user', async t => {
  const dice = Dice.fromEnvironment(t)
  const test = await TestExchange.open(t)
  const group = await TestGroup.create(test, 5)
  const worth = (user: string) => {
    const { cash } = test.exchange.balance(user) ?? { cash: 0 }
    const { outcomes } = test.exchange.groups.holding(group.group, user) ?? { outcomes: new Map() }
    return [...outcomes.values()].map(({ pays }) => pays + cash)
  }
  await buildSets(group)
  let made = 0
  for (let step = 0; step < 80; step++) {
    const user = dice.oneOf(USERS)
    if (dice.percent(60)) {
      const letter = dice.oneOf(['A', 'B', 'C', 'D', 'E'] as const)
      await group.play(`${letter}: ${user} ${dice.oneOf(['buy', 'sell'])} 3 @ ${dice.between(4, 6)}`)
      continue
    }
    const before = worth(user)
    const letters = [...group.letters].filter(() => dice.percent(50)).join('') || '-'
    const done = await group.convert(`${user} ${dice.oneOf(['release', 'build'])} 1 of ${letters}`)
    if (done.startsWith('cash')) made++
    t.same(worth(user), before, `${letters} ${done}`)
  }
  t.ok(made > 0, `${made} conversions were made`)
})
