import t from 'tap'
import { Chance } from '../../src/demo/seeded-random.js'

const rolls = (chance: Chance) => Array.from({ length: 100 }, () => chance.share())

t.test('equal seeds draw equal numbers, different seeds different ones', async t => {
  t.same(rolls(new Chance(7, 1_800_000_000_000)), rolls(new Chance(7, 1_800_000_000_000)))
  for (const other of [[8], [7], [7, 1_800_000_000_001], [1_800_000_000_000, 7], []]) {
    t.notSame(rolls(new Chance(...other)), rolls(new Chance(7, 1_800_000_000_000)), `seeds ${other}`)
  }
  t.throws(() => new Chance(-1), /a seed is a whole number/)
  t.throws(() => new Chance(0.5), /a seed is a whole number/)
})

t.test('draws every value in range, and none outside it', async t => {
  const chance = new Chance(1)
  const numbers = Array.from({ length: 10_000 }, () => chance.between(3, 7))
  t.same([...new Set(numbers)].sort(), [3, 4, 5, 6, 7])
  for (const number of [3, 4, 5, 6, 7]) {
    const times = numbers.filter(rolled => rolled === number).length
    t.ok(times > 1700 && times < 2300, `${number} came ${times} times of 10,000`)
  }
  t.notOk(Array.from({ length: 1000 }, () => chance.percent(0)).includes(true))
  t.notOk(Array.from({ length: 1000 }, () => chance.percent(100)).includes(false))
})

t.test('normal numbers have mean 0 and standard deviation 1', async t => {
  const chance = new Chance(2)
  const numbers = Array.from({ length: 20_000 }, () => chance.normal())
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  const variance = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / numbers.length
  t.ok(Math.abs(mean) < 0.03, `mean ${mean}`)
  t.ok(Math.abs(variance - 1) < 0.05, `variance ${variance}`)
})

t.test('ids look like those of a normal start, and never repeat', async t => {
  const chance = new Chance(3)
  const uuids = Array.from({ length: 1000 }, () => chance.uuid())
  for (const uuid of uuids) {
    if (!/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(uuid)) t.fail(uuid)
  }
  t.equal(new Set(uuids).size, uuids.length)
  t.match(chance.letters(10), /^[\dA-Za-z]{10}$/)
})
