import t from 'tap'
import { TurnEnd } from '../../src/shard/turn-end.js'

/** Returns turns that the test ends, and the names of the work done so far. */
function stage() {
  const clock = { ms: 0 }
  const ends: (() => void)[] = []
  const done: string[] = []
  const turn = new TurnEnd(
    () => clock.ms,
    work => ends.push(work),
  )
  const work = (name: string) => turn.schedule(() => done.push(name))
  return { clock, turn, done, work, end: () => ends.shift()?.(), ends }
}

t.test('runs work in its order at the end of a turn', async t => {
  const { done, work, end, ends } = stage()
  work('a')
  work('b')
  t.same(done, [])
  end()
  t.same(done, ['a'], 'promises get their turn between two pieces of work')
  end()
  t.same(done, ['a', 'b'])
  t.equal(ends.length, 0)
})

t.test('hurries nothing in a short turn, and everything in a long one', async t => {
  const { clock, turn, done, work, end } = stage()
  clock.ms = 1000
  turn.hurry()
  work('a')
  clock.ms = 1009
  turn.hurry()
  t.same(done, [])
  work('b')
  clock.ms = 1010
  turn.hurry()
  t.same(done, ['a', 'b'], 'the turn has lasted for 10 ms')
  end()
  end()
  t.same(done, ['a', 'b'], 'nothing runs twice')
})

t.test('work that schedules more is not run again in the same breath', async t => {
  const { clock, turn, done, end, ends } = stage()
  const again = () => {
    done.push('again')
    turn.schedule(again)
  }
  turn.schedule(again)
  clock.ms = 50
  turn.hurry()
  turn.hurry()
  t.same(done, ['again'])
  clock.ms = 60
  turn.hurry()
  t.same(done, ['again', 'again'])
  while (ends.length > 0 && done.length < 5) end()
  t.equal(done.length, 5)
})

t.test('receives messages in a long turn, before the work that waits, until told to stop', async t => {
  const { clock, turn, done, work } = stage()
  const stop = turn.receive(() => {
    done.push('message')
    work('its work')
  })
  turn.hurry()
  work('a')
  clock.ms = 10
  turn.hurry()
  t.same(done, ['message', 'a', 'its work'])
  stop()
  clock.ms = 20
  turn.hurry()
  t.equal(done.length, 3)
})

t.test('lets events pass between pieces of long work, for what the work leads to as well', async t => {
  const { clock, turn, done } = stage()
  const slow = () => {
    done.push('slow')
    clock.ms += 12
    turn.schedule(slow)
  }
  turn.schedule(slow)
  clock.ms = 10
  turn.hurry()
  t.equal(clock.ms, 22)
  // Its promises take as long again.
  clock.ms += 12
  turn.hurry()
  t.equal(done.length, 1)
  clock.ms += 8
  turn.hurry()
  t.equal(done.length, 2)
})
