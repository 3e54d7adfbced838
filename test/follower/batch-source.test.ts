import { cpSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import type { Sequence } from '../../src/core/units.js'
import { lots, ticks } from '../../src/core/units.js'
import type { FollowerMode } from '../../src/follower/batch-source.js'
import { Replay, sourceOf } from '../../src/follower/batch-source.js'
import { Follower, followToEnd } from '../../src/follower/follower.js'
import type { FlatBatch } from '../../src/shard/flat-batch.js'
import { FlatWriter, readBatch } from '../../src/shard/flat-batch.js'
import { openServed } from '../../src/store/database.js'
import type { TakenBatch } from '../../src/store/merge/taken-batch.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { Dice } from '../fixtures/dice.js'
import { pastJournal, rowsIn } from '../fixtures/restore/past-states.js'

const BATCHES = 100
const WRITTEN_MAX = 12
const UNWRITTEN_MAX = 6
const FLIPS = 10

const BEGINNING = 0 as Sequence
const END = BATCHES as Sequence

/** A journal without tables, what shards tell of it, and the rows after each of its batches. */
function journalOf(t: Test, dice: Dice) {
  const states = pastJournal(dice, BATCHES, t.testdir())
  const writer = new FlatWriter()
  const tellings = new Map<number, FlatBatch>()
  const scratch = openServed(copyOf(states.file, 'scratch'))
  for (const { batch, hash } of new Replay(scratch).batches(BEGINNING, END)) {
    tellings.set(batch.place.sequence, structuredClone(writer.write(batch, hash)))
  }
  scratch.close()
  return { ...states, tellings }
}

function copyOf(file: string, name: string): string {
  const directory = join(dirname(file), '..', name)
  cpSync(dirname(file), directory, { recursive: true })
  return join(directory, basename(file))
}

/** Tells the batches from one on; two shards may tell theirs side by side. */
function nextFrom(tellings: ReadonlyMap<number, FlatBatch>, from: number, dice: Dice) {
  const order = [...tellings.keys()].filter(sequence => sequence >= from)
  for (let index = 0; index + 1 < order.length; index += 2) {
    if (dice.percent(50)) order.splice(index, 2, order[index + 1] as number, order[index] as number)
  }
  return () => tellings.get(order.shift() ?? 0)
}

for (const mode of ['told', 'verify'] as const satisfies readonly FollowerMode[]) {
  t.test(`killed at every flush, the tables have the rows of each batch: ${mode}`, async t => {
    const dice = Dice.fromEnvironment(t)
    const { file, rows, tellings } = journalOf(t, dice)
    let at = 0
    let kills = 0
    while (at < BATCHES) {
      const database = openServed(file)
      const follower = new Follower(database, sourceOf(mode, database, nextFrom(tellings, at + 1, dice)))
      const written = Math.min(BATCHES, at + dice.between(1, WRITTEN_MAX)) as Sequence
      const taken = Math.min(BATCHES, written + dice.between(0, UNWRITTEN_MAX)) as Sequence
      while (follower.reached < written) follower.follow(written)
      if (taken > written) follower.follow(taken, false)
      database.close()
      t.equal(rowsIn(file), rows[written - 1], `batch ${written}`)
      followToEnd(file, taken)
      t.equal(rowsIn(file), rows[taken - 1], `batch ${taken}, after a crash`)
      at = taken
      kills++
    }
    t.ok(kills > BATCHES / (WRITTEN_MAX + UNWRITTEN_MAX) - 1)
  })
}

t.test('a second opinion finds whatever a shard tells wrong', async t => {
  const dice = Dice.fromEnvironment(t)
  const { file, tellings } = journalOf(t, dice)
  const stop = /a replay of the journal decides batch \d+ as its shard did/
  const follow = (name: string, wrong: FlatBatch, sequence: number) => {
    const database = openServed(copyOf(file, name))
    const changed = new Map(tellings).set(sequence, wrong)
    const source = sourceOf('verify', database, nextFrom(changed, 1, dice))
    const follower = new Follower(database, source)
    t.teardown(() => database.close())
    while (follower.reached < sequence) follower.follow(sequence as Sequence)
  }
  for (let flip = 0; flip < FLIPS; flip++) {
    const sequence = dice.between(1, BATCHES)
    const told = tellings.get(sequence) as FlatBatch
    const cells = told.cells.slice()
    // Not the sequence: a batch under another one is missing, which the next test has.
    const cell = dice.between(1, cells.length - 1)
    cells[cell] = (cells[cell] as number) + 1
    t.throws(() => follow(`flip-${flip}`, { ...told, cells }, sequence), { message: stop }, `cell ${cell}`)
  }
  const last = tellings.get(BATCHES) as FlatBatch
  for (const [what, wrong] of Object.entries({
    hash: { ...last, hash: new Uint8Array(32) },
    words: { ...last, words: ['never'] },
    rare: { ...last, rare: '{}' },
  })) {
    t.throws(() => follow(what, wrong, BATCHES), { message: stop }, what)
  }
})

/** Changes what a batch says of its first order, trade or statement line; undefined if it has none. */
const WRONG: Readonly<Record<string, (batch: TakenBatch) => TakenBatch | undefined>> = {
  orders: ({ arrivals: [arrival, ...others], ...batch }) =>
    arrival && { ...batch, arrivals: [{ ...arrival, quantity: lots(arrival.quantity + 1) }, ...others] },
  trades: ({ outcome, ...batch }) => {
    const [trade, ...others] = outcome.trades
    if (trade === undefined) return undefined
    const fills = trade.fills.map(fill => ({ ...fill, price: ticks(fill.price + 1) }))
    return { ...batch, outcome: { ...outcome, trades: [{ ...trade, fills }, ...others] } }
  },
  entries: ({ outcome, ...batch }) => {
    const [entry, ...others] = outcome.entries
    return entry && { ...batch, outcome: { ...outcome, entries: [{ ...entry, kind: 'void' }, ...others] } }
  },
}

t.test('a verification finds the rows that a shard tells wrong', async t => {
  const dice = Dice.fromEnvironment(t)
  const { file, tellings } = journalOf(t, dice)
  const writer = new FlatWriter()
  const brokenBy = (name: string, change: (batch: TakenBatch) => TakenBatch | undefined) => {
    const changed = new Map(tellings)
    for (const [sequence, flat] of tellings) {
      const wrong = change(readBatch(flat))
      if (wrong === undefined) continue
      changed.set(sequence, writer.write(wrong, flat.hash))
      break
    }
    const copy = copyOf(file, name)
    const database = openServed(copy)
    const follower = new Follower(database, sourceOf('told', database, nextFrom(changed, 1, dice)))
    while (follower.reached < END) follower.follow(END)
    database.close()
    return verifyFile(copy).checks.filter(({ result }) => result === 'broken')
  }
  const before = brokenBy('right', () => undefined).map(({ name }) => name)
  for (const [table, change] of Object.entries(WRONG)) {
    t.notOk(
      before.some(name => name === table),
      `${table} were right`,
    )
    const broken = brokenBy(`wrong ${table}`, change).map(({ name }) => name)
    t.ok(
      broken.some(name => name === table),
      `${table}: ${broken.join()}`,
    )
  }
})

t.test('a batch that no shard tells ends the exchange', async t => {
  const dice = Dice.fromEnvironment(t)
  const { file, tellings } = journalOf(t, dice)
  tellings.delete(7)
  const database = openServed(file)
  t.teardown(() => database.close())
  const follower = new Follower(database, sourceOf('told', database, nextFrom(tellings, 1, dice)))
  t.throws(() => follower.follow(END), { message: /a shard tells the follower each batch/ })
  t.equal(follower.reached, 0, 'and nothing of it is in the tables')
})
