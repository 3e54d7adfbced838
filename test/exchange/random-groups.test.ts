import t from 'tap'
import { verifyFile } from '../../src/verify/verify-file.js'
import { Dice } from '../fixtures/dice.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const USERS = ['asha', 'ben', 'cora', 'dev', 'esha'] as const
const STEPS = 40
const GROUPS = 2

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

t.test('whatever is traded and converted, the escrow is what each possible winner would be paid', async t => {
  const dice = Dice.fromEnvironment(t)
  let conversions = 0
  for (let round = 0; round < GROUPS; round++) {
    const test = await TestExchange.open(t, { shardCount: dice.between(1, 3) })
    const group = await TestGroup.create(test, dice.between(2, 6))
    const story: string[] = []
    for (let step = 0; step < STEPS; step++) {
      story.push(await act(dice, group))
      const { escrow, byWinner } = await group.payouts()
      if (byWinner.some(payout => payout !== escrow) || !test.exchange.moneyIsAllThere()) {
        t.fail(`escrow ${escrow}, by winner ${byWinner.join(', ')}, after\n${story.join('\n')}`)
        return
      }
    }
    conversions += group.group.progress.conversions
    await group.close()
    await group.resolve(dice.percent(30) ? 'void' : (group.group.live[0]?.listing.label ?? ''))
    t.equal((await group.payouts()).escrow, 0, 'nothing is left once it is settled')
    for (const user of USERS) t.equal(group.contracts(user), 'nothing', user)
    await test.close()
    const report = verifyFile(test.file)
    const broken = report.checks.filter(({ result }) => result === 'broken')
    t.same(
      broken.map(({ name, findings }) => [name, findings]),
      [],
      story.join('\n'),
    )
  }
  t.ok(conversions > 0, `${conversions} conversions were made`)
})

t.test('a conversion changes what no outcome pays its user', async t => {
  const dice = Dice.fromEnvironment(t)
  const test = await TestExchange.open(t)
  const group = await TestGroup.create(test, 5)
  const worth = (user: string) => {
    const { cash } = test.exchange.balance(user) ?? { cash: 0 }
    const { outcomes } = test.exchange.groups.holding(group.group, user) ?? { outcomes: new Map() }
    return [...outcomes.values()].map(({ pays }) => pays + cash)
  }
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
