import t from 'tap'
import type { RequestKind } from '../../src/server/pipeline.js'
import { Pipeline, ROUND_LENGTH_MAX, SHORT_ROUND_LENGTH_MAX } from '../../src/server/pipeline.js'
import { steppedShare } from '../fixtures/stepped-share.js'

/** Returns a pipeline whose rounds the test runs, and the requests it has started. */
function stage({ commandMs = 0 } = {}) {
  const rounds: (() => void)[] = []
  const begun: string[] = []
  const clock = { ms: 0 }
  const turns = { isShort: false, isForAccepting: false }
  const schedule = (round: () => void) => rounds.push(round)
  const share = steppedShare(schedule)
  const begin = (name: string) => {
    begun.push(name)
    clock.ms += commandMs
  }
  const pipeline = new Pipeline({ turns, share, schedule, watch: () => clock.ms })
  return {
    begun,
    share,
    clock,
    turns,
    add: (name: string) => pipeline.add(begin, name, 'read'),
    probe: (name: string) => pipeline.add(begin, name, 'probe'),
    command: (name: string, weight?: number) => pipeline.add(begin, name, 'command', weight),
    addBehind: (name: string, kind: RequestKind = 'read') => pipeline.addBehind(begin, name, kind),
    /** Runs one round; returns the requests started so far. */
    round: () => {
      const before = begun.length
      rounds.shift()?.()
      return begun.slice(before)
    },
    isIdle: () => rounds.length === 0,
    waiting: () => [pipeline.waitingAhead(false), pipeline.waitingAhead(true)],
  }
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => prefix + index)

t.test('starts a request at once when few arrive together', async t => {
  const { add, command, begun, isIdle } = stage()
  add('a')
  command('b')
  t.same(begun, ['a', 'b'])
  t.ok(isIdle())
})

t.test('schedules no round for a few requests, but counts them together', async t => {
  const { add, command, begun, round, isIdle } = stage()
  for (const name of names('r', 8)) add(name)
  for (const name of names('c', 7)) command(name)
  t.ok(isIdle())
  command('c7')
  t.notOk(isIdle())
  for (const name of names('more', 2 * ROUND_LENGTH_MAX)) command(name)
  t.equal(begun.length, 8 + ROUND_LENGTH_MAX, 'those of earlier turns count until the round')
  round()
  t.equal(begun.length, 8 + 2 * ROUND_LENGTH_MAX)
})

t.test('starts no more requests than a round holds, however many connections ask at once', async t => {
  const { add, begun, round, isIdle } = stage()
  const all = names('r', 10 * ROUND_LENGTH_MAX)
  for (const name of all) add(name)
  t.equal(begun.length, ROUND_LENGTH_MAX)
  for (let rounds = 0; begun.length < all.length; rounds++) {
    t.ok(round().length <= ROUND_LENGTH_MAX)
    t.ok(rounds < 10, 'and every round is used')
  }
  t.same(begun, all, 'in the order in which they came')
  round()
  t.ok(isIdle())
})

t.test('starts no more reads in a round than it has time for, and at least one', async t => {
  const { add, begun, round, clock, isIdle } = stage({ commandMs: 4 })
  for (const name of names('slow', 20)) add(name)
  t.equal(begun.length, 3, 'at once')
  for (let rounds = 0; begun.length < 20; rounds++) {
    t.ok(round().length <= 3)
    t.ok(rounds < 7, 'and every round is used')
  }
  t.same(begun, names('slow', 20))
  round()
  t.ok(isIdle())
  clock.ms += 1
  add('next')
  t.equal(begun.at(-1), 'next')
})

t.test('starts few requests in a short turn', async t => {
  const { add, command, begun, round, turns } = stage()
  turns.isShort = true
  for (const name of names('r', 100)) add(name)
  for (const name of names('c', 100)) command(name)
  t.equal(begun.length, 2 * SHORT_ROUND_LENGTH_MAX)
  t.equal(round().length, 2 * SHORT_ROUND_LENGTH_MAX)
  turns.isShort = false
  t.equal(round().length, 2 * ROUND_LENGTH_MAX)
})

t.test('a probe waits behind no other request, and a flood of probes like one of reads', async t => {
  const { add, probe, command, begun, round } = stage()
  for (const name of names('r', 100)) add(name)
  for (const name of names('c', 100)) command(name)
  begun.splice(0)
  for (const name of names('p', ROUND_LENGTH_MAX + 1)) probe(name)
  t.same(begun, names('p', ROUND_LENGTH_MAX))
  const rest = round()
  t.ok(rest.indexOf('r99') < rest.indexOf(`p${ROUND_LENGTH_MAX}`), `${rest}`)
  probe('next')
  t.equal(begun.at(-1), 'next', 'each round has as many')
})

t.test('in a turn that is left to accepting, commands and probes begin, and reads wait', async t => {
  const { add, command, probe, begun, round, turns } = stage()
  turns.isForAccepting = true
  add('read')
  command('command')
  probe('probe')
  t.same(begun, ['command', 'probe'])
  t.same(round(), [])
  turns.isForAccepting = false
  t.same(round(), ['read'])
})

t.test('a batch counts for each of its orders', async t => {
  const { command, begun, round, waiting, isIdle } = stage()
  for (const name of names('b', 200)) command(name, 100)
  t.same(begun, ['b0'], 'one fills a round')
  t.same(waiting(), [19_900, 19_900], 'and the orders in the others make a new one late')
  for (let rounds = 1; rounds < 200; rounds++) t.same(round(), [`b${rounds}`])
  t.same(waiting(), [0, 0])
  round()
  t.ok(isIdle())
})

t.test('a long turn brings no more batches than a few milliseconds allow', async t => {
  const { command, round, clock } = stage({ commandMs: 4 })
  for (const name of names('b', 50)) command(name, 100)
  clock.ms += 300
  t.equal(round().length, 3)
  clock.ms += 300
  t.equal(round().length, 3)
})

t.test('does not let a new request overtake waiting ones', async t => {
  const { add, round, begun } = stage()
  for (const name of names('r', ROUND_LENGTH_MAX + 100)) add(name)
  round()
  add('late')
  t.not(begun.at(-1), 'late')
  while (begun.length < ROUND_LENGTH_MAX + 101) round()
  t.equal(begun.at(-1), 'late')
})

t.test('a packet full of requests does not delay other connections by a round', async t => {
  const { add, addBehind, begun, round } = stage()
  for (const name of names('behind', 5000)) addBehind(name)
  add('first')
  t.same(begun, ['first'], 'before all that wait behind others')
  t.equal(round().length, ROUND_LENGTH_MAX)
  for (const name of names('more', 200)) add(name)
  const second = round()
  t.equal(second.length, ROUND_LENGTH_MAX)
  t.equal(second.filter(name => name.startsWith('behind')).length, 16, 'and those behind go on, too')
})

t.test('never starts a request before an earlier one on its connection', async t => {
  const { add, addBehind, begun, round, isIdle } = stage()
  for (const name of names('other', ROUND_LENGTH_MAX)) add(name)
  for (const name of names('x', 300)) {
    add(`${name} first`)
    addBehind(`${name} second`)
  }
  while (!isIdle()) round()
  t.equal(begun.length, ROUND_LENGTH_MAX + 600)
  for (const name of names('x', 300)) {
    t.ok(begun.indexOf(`${name} first`) < begun.indexOf(`${name} second`), name)
  }
})

t.test('while orders wait, commands go before reads that came earlier, in their own order', async t => {
  const { add, command, begun, share, round } = stage()
  share.piecesLeft = 1000
  for (const name of names('read', 10)) add(name)
  for (const name of names('order', ROUND_LENGTH_MAX + 10)) command(name)
  t.same(begun, names('order', ROUND_LENGTH_MAX), 'at once, as many as a round holds')
  t.same(round(), [...names('order', ROUND_LENGTH_MAX + 10).slice(ROUND_LENGTH_MAX), ...names('read', 10)])
})

t.test('while orders wait, reads take no more than their share, and lose nothing', async t => {
  const { add, command, begun, share, round, isIdle } = stage()
  share.piecesLeft = 0
  const reads = names('read', 100)
  for (const name of reads) add(name)
  round()
  t.same(begun, [], 'there is no time')
  for (let granted = 1; granted <= 100; granted++) {
    command(`order${granted}`)
    share.piecesLeft = 1
    round()
    t.equal(begun.length, 2 * granted, 'one piece of work, one read')
  }
  t.same(
    begun.filter(name => name.startsWith('read')),
    reads,
    'in the order in which they came',
  )
  while (!isIdle()) round()
  t.equal(begun.length, 200)
})

t.test('reads go on at full speed when no orders wait any more', async t => {
  const { add, share, round, begun } = stage()
  share.piecesLeft = 0
  for (const name of names('read', 3)) add(name)
  round()
  share.piecesLeft = Number.POSITIVE_INFINITY
  add('late')
  t.same(begun, [], 'none overtakes those that wait')
  t.same(round(), ['read0', 'read1', 'read2', 'late'])
})

t.test('a flood of commands does not keep reads from their share', async t => {
  const { add, command, begun, share, round } = stage()
  share.piecesLeft = 0
  add('read')
  for (let rounds = 0; rounds < 10; rounds++) {
    for (const name of names(`order${rounds}-`, 2 * ROUND_LENGTH_MAX)) command(name)
    round()
  }
  t.notOk(begun.includes('read'))
  share.piecesLeft = 1
  t.ok(round().includes('read'))
})

t.test('a pipelined command waits for its predecessors, but not for a share of the time', async t => {
  const { add, addBehind, share, round, begun } = stage()
  share.piecesLeft = 0
  add('read')
  addBehind('order', 'command')
  addBehind('read behind')
  addBehind('order behind a read', 'command')
  t.same(round(), ['order'])
  t.same(round(), [])
  t.same(begun, ['order'])
  share.piecesLeft = 3
  t.same(round(), ['read', 'read behind', 'order behind a read'])
})

t.test('counts the commands that wait, and those behind them', async t => {
  const { command, add, addBehind, round, waiting } = stage()
  for (const name of names('c', ROUND_LENGTH_MAX + 10)) command(name)
  add('read')
  addBehind('behind', 'command')
  t.same(waiting(), [10, 11])
  round()
  t.same(waiting(), [0, 0])
})

t.test('commands get as much time as reading and refusing others took, and no more', async t => {
  const { command, round, clock, isIdle, add } = stage({ commandMs: 1 })
  for (const name of names('c', 1000)) command(name)
  round()
  clock.ms += 300
  t.equal(round().length, 300)
  t.equal(round().length, ROUND_LENGTH_MAX, 'a turn without others brings no more than a round')
  for (const name of names('r', 10)) add(name)
  clock.ms += 20
  const commands = () => round().filter(name => name.startsWith('c')).length
  t.equal(commands(), ROUND_LENGTH_MAX, 'and a short one no less')
  clock.ms += 10_000
  t.ok(commands() > 300, 'a long one brings all that wait')
  round()
  t.ok(isIdle())
})
