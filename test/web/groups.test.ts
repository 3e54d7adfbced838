import t from 'tap'
import { linesOf } from '../../src/web/trade/group/group-lines.js'
import { releaseOf } from '../../src/web/trade/group/release.js'

/** Contracts by outcome: `3n` is 3 NO, `2y` 2 YES, `3n-1` 3 NO of which an open order sells 1. */
function held(...texts: readonly string[]) {
  const outcomes = texts.map((text, index) => {
    const [, count = '0', side, locked = '0'] = /^([\d.]+)([yn])(?:-([\d.]+))?$/.exec(text) ?? []
    const of = (name: string, value: string) => (side === name ? Number(value) : 0)
    return {
      ...{ event_id: String(index + 1), label: text, pays: 0, yes: of('y', count), no: of('n', count) },
      ...{ yes_locked: of('y', locked), no_locked: of('n', locked) },
    }
  })
  return { outcomes }
}

t.test('releases what brings the most money at once', async t => {
  t.same(releaseOf(held('3n', '2n', '1y'), 10), { outcomes: ['1', '2'], quantity: 2, each: 10 })
  t.same(
    releaseOf(held('3n', '3n', '2n'), 10),
    { outcomes: ['1', '2', '3'], quantity: 2, each: 20 },
    'two sets of three pay ₹40, three of two ₹30',
  )
  t.same(releaseOf(held('5n', '1n', '5n'), 10), { outcomes: ['1', '3'], quantity: 5, each: 10 })
  t.same(releaseOf(held('2y', '3y', '2.5y'), 10), { outcomes: [], quantity: 2, each: 10 })
})

t.test('releases nothing that is not there', async t => {
  t.equal(releaseOf(held(), 10), undefined)
  t.equal(releaseOf(held('3n', '0n', '2y'), 10), undefined, 'NO of one outcome alone')
  t.equal(releaseOf(held('2y', '3y', '0y'), 10), undefined, 'a set that is not complete')
  t.same(
    releaseOf(held('3n-2', '3n-0.5'), 10),
    { outcomes: ['2', '1'], quantity: 1, each: 10 },
    'orders sell the rest',
  )
  t.equal(releaseOf(held('3n-3', '3n'), 10), undefined)
  t.equal(releaseOf(held('0.3n-0.1', '0.2n'), 10)?.quantity, 0.2, 'whole hundredths')
})

t.test('draws the lines of a group in the range that they share', async t => {
  const { low, high, paths } = linesOf([
    [0.25, 0.3],
    [0.1, 0.2, 0.4],
  ])
  t.same([low, high], [0, 50], 'in tens, with the lines off the edges')
  t.equal(paths[1], 'M0.0 144.0L300.0 108.0L600.0 36.0')
  t.equal(paths[0], 'M300.0 90.0L600.0 72.0', 'one that began later ends at the same edge')
  t.same(linesOf([[0, 1]]).paths, ['M0.0 180.0L600.0 0.0'], 'no chance is outside')
  t.same(linesOf([[0.5], []]).paths, ['', ''], 'two points make a line')
})
