import { dirname } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import type { Command, ReplaceOrder } from '../../src/core/command.js'
import type { BatchOutcome } from '../../src/core/engine-event.js'
import type { AccountNumber, MarketCode, OrderNumber, Sequence, TimeMs } from '../../src/core/units.js'
import { Engine } from '../../src/engine/engine.js'
import { MarketCache } from '../../src/store/merge/market-cache.js'
import { Dice } from '../fixtures/dice.js'
import { liveFullDay } from '../fixtures/full-day.js'
import type { Facts } from '../fixtures/merged/broken-rules.js'
import { BROKEN_RULES, money, NOTHING_DONE } from '../fixtures/merged/broken-rules.js'
import { RandomJournal } from '../fixtures/merged/random-journal.js'
import { runProjection } from '../fixtures/merged/run-projection.js'
import type { Taken } from '../fixtures/merged/twin-tables.js'
import { replay, TwinTables, tablesOf } from '../fixtures/merged/twin-tables.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const COMMANDS = 10_000
const BATCHES = 150

t.test('any journal gives the rows that writing batch by batch gives, wherever the flushes are', async t => {
  const counts = runProjection(Dice.fromEnvironment(t), COMMANDS, t.testdir())
  t.ok(counts.size > 20, 'much happened')
})

t.test('a full day of the exchange does, too', async t => {
  const test = await TestExchange.open(t)
  await liveFullDay(test, Dice.fromEnvironment(t), 200)
  const twins = new TwinTables(dirname(test.file))
  t.teardown(() => twins.close())
  for (const batch of test.journal()) twins.play(batch)
  twins.flush()
  t.same(twins.differences(), [])
})

function emptyTwins(t: Test): TwinTables {
  const twins = new TwinTables(t.testdir())
  t.teardown(() => twins.close())
  return twins
}

/** A journal that is the same every time; among much else, replacements take over names, or are refused. */
const JOURNAL: readonly Taken[] = (() => {
  const random = new RandomJournal(new Dice(3))
  const engine = new Engine()
  return Array.from({ length: BATCHES }, () => replay(engine, random.next()))
})()

t.test('a batch that breaks a rule of the tables throws when it is taken, not at the flush', async t => {
  const twins = emptyTwins(t)
  for (const taken of JOURNAL) {
    twins.write(taken)
    twins.take(taken)
  }
  twins.flush()
  const facts = twins.oracle
    .prepare<unknown[], Facts>(
      `SELECT account, market, number, (SELECT slug FROM markets WHERE code <> market LIMIT 1) AS otherSlug
       FROM orders WHERE state = 'resting' LIMIT 1`,
    )
    .get() as Facts
  const place = { sequence: 1_000_000 as Sequence, at: 2e12 as TimeMs }
  for (const [what, outcomeOf] of Object.entries(BROKEN_RULES)) {
    const taken: Taken = { commands: [], outcome: { ...NOTHING_DONE, ...outcomeOf(facts) }, place }
    t.throws(() => twins.write(taken), `${what}: by the oracle`)
    t.throws(() => twins.take(taken), { message: /^broken: / }, what)
    twins.crash(false)
  }
  const opened = { type: 'OPEN_ACCOUNT', id: 'again', account: facts.account, userId: 'again' } as Command
  t.throws(() => twins.take({ commands: [opened], outcome: NOTHING_DONE, place }), 'an account opened twice')
})

t.test('an account may be overdrawn in no batch, even if the next one pays it back', async t => {
  const twins = emptyTwins(t)
  for (const taken of JOURNAL) twins.take(taken)
  const account = JOURNAL.flatMap(({ outcome }) => outcome.entries).find(
    ({ kind }) => kind === 'opening',
  )?.account
  const place = { sequence: 1_000_000 as Sequence, at: 2e12 as TimeMs }
  const moved = (cash: number) => ({ ...NOTHING_DONE, ...money(account as AccountNumber, cash, 0) })
  t.throws(() => twins.take({ commands: [], outcome: moved(-1e12), place }), { message: /never owes/ })
})

t.test('rows are forgotten above the limit, but only when none waits to be written', async t => {
  const cache = new MarketCache<OrderNumber, string>(2)
  const [first, second] = [1_000_001, 1_000_002] as [MarketCode, MarketCode]
  for (const number of [1, 2, 3] as OrderNumber[]) cache.add(first, number, `order ${number}`)
  t.equal(cache.get(first, 1 as OrderNumber), 'order 1', 'before the trim all are there')
  t.equal(cache.get(second, 1 as OrderNumber), undefined, 'another market has orders of its own')
  cache.delete(first, 3 as OrderNumber)
  cache.trim()
  t.equal(cache.get(first, 2 as OrderNumber), 'order 2', 'the limit is kept')
  cache.add(second, 1 as OrderNumber, 'one too many')
  cache.trim()
  t.equal(cache.get(first, 2 as OrderNumber), undefined)
  cache.add(first, 4 as OrderNumber, 'order 4')
  cache.trim()
  t.equal(cache.get(first, 4 as OrderNumber), 'order 4', 'counts from nothing again')
})

type Journal = readonly Taken[]
type List = keyof BatchOutcome

const at = (journal: Journal, index: number) => journal[index] as Taken
const has = (list: List) => (taken: Taken) => taken.outcome[list].length > 0
const isNamed = (command: Command): command is ReplaceOrder =>
  command.type === 'REPLACE_ORDER' && command.order.name !== undefined
const isTrade = ({ outcome }: Taken) => outcome.events.some(({ type }) => type === 'traded')

function leavesOut(list: List): Fault {
  const fault = (journal: Journal, index: number) => {
    const { outcome, ...taken } = at(journal, index)
    return journal.with(index, { ...taken, outcome: { ...outcome, [list]: outcome[list].slice(1) } })
  }
  return [`leaves out one of the ${list}`, CHANGES_FIRST[list] ?? has(list), fault]
}

/** Returns whether a batch changes the first of a list: a cancel may find nothing, a posting may add 0. */
const CHANGES_FIRST: Partial<Record<List, (taken: Taken) => boolean>> = {
  markets: ({ outcome: { events, markets } }) => events.some(({ market }) => market === markets[0]?.code),
  accounts: ({ outcome: { accounts } }) => accounts[0] !== undefined && !isNothing(accounts[0]),
  positions: ({ outcome: { positions } }) => positions[0] !== undefined && !isNothing(positions[0]),
}

/** Returns true if a posting adds 0 to everything it names. */
function isNothing({ account, market, ...changes }: { account: number; market?: number }): boolean {
  return Object.values(changes).every(change => change === 0)
}

function misplaces(name: string, move: (place: Taken['place']) => object): Fault {
  const fault = (journal: Journal, index: number) => {
    const taken = at(journal, index)
    return journal.with(index, { ...taken, place: { ...taken.place, ...move(taken.place) } })
  }
  return [name, has('orders'), fault]
}

/** Takes two batches as if they were one. */
function joined(journal: Journal, index: number): Journal {
  const [first, second] = [at(journal, index - 1), at(journal, index)]
  const lists = Object.keys(NOTHING_DONE) as List[]
  const both = lists.map(list => [list, [...first.outcome[list], ...second.outcome[list]]] as const)
  const commands = [...first.commands, ...second.commands]
  const outcome = Object.fromEntries(both) as unknown as BatchOutcome
  return journal.toSpliced(index - 1, 2, { ...second, commands, outcome })
}

/** A planted fault, the batches that it affects, and the batch that the writer takes instead. */
type Fault = readonly [
  name: string,
  isFor: (taken: Taken) => boolean,
  fault: (journal: Journal, index: number) => Journal,
]

const FAULTS: readonly Fault[] = [
  ...(['orders', 'markets', 'edits', 'accounts', 'positions', 'entries', 'settlements'] as const).map(
    leavesOut,
  ),
  [
    'leaves out the trades',
    isTrade,
    (journal, index) => {
      const taken = at(journal, index)
      return journal.with(index, { ...taken, outcome: { ...taken.outcome, events: [] } })
    },
  ],
  [
    'misnames a replacement',
    ({ commands, outcome }) =>
      outcome.orders.some(
        ({ market, number, state }) =>
          state !== 'rejected' &&
          commands.filter(isNamed).some(({ order }) => order.market === market && order.number === number),
      ),
    (journal, index) => {
      const taken = at(journal, index)
      const misnamed = (command: Command) =>
        isNamed(command) ? { ...command, order: { ...command.order, name: 'another' } } : command
      return journal.with(index, { ...taken, commands: taken.commands.map(misnamed) })
    },
  ],
  ['leaves out a batch', has('orders'), (journal, index) => journal.toSpliced(index, 1)],
  [
    'takes a batch twice',
    has('accounts'),
    (journal, index) => journal.toSpliced(index, 0, at(journal, index)),
  ],
  ['joins two batches', has('orders'), joined],
  misplaces('dates a batch wrongly', place => ({ at: place.at + 1 })),
  misplaces('numbers a batch wrongly', place => ({ sequence: place.sequence + 1 })),
]

t.test('the comparison', async t => {
  t.test('notices any change of any cell, and any row too many or too few', async t => {
    const twins = emptyTwins(t)
    for (const taken of JOURNAL) {
      twins.write(taken)
      twins.take(taken)
    }
    twins.flush()
    t.same(twins.differences(), [])
    const { merged } = twins
    merged.pragma('ignore_check_constraints = ON')
    const isNoticed = (sql: string, table: string) => {
      merged.exec('BEGIN')
      const { changes } = merged.prepare(sql).run()
      const differences = twins.differences()
      merged.exec('ROLLBACK')
      if (changes !== 1) t.fail(`${sql} changes a row`)
      if (!differences.some(difference => difference.startsWith(`${table}, `))) t.fail(`${sql} is noticed`)
    }
    const tables = tablesOf(merged).filter(table => table !== 'journal' && !/words/.test(table))
    for (const table of tables) {
      const columns = merged.pragma(`table_info(${table})`) as {
        readonly name: string
        readonly type: string
        readonly pk: number
      }[]
      const names = columns.map(({ name }) => name).join(', ')
      const key = columns.flatMap(({ pk, name }) => (pk > 0 ? [name] : []))
      const last = `SELECT ${key} FROM ${table} ORDER BY ${key.map(name => `${name} DESC`)} LIMIT 1`
      const one = `(${key}) = (${last})`
      for (const { name, type } of columns) {
        const other = type === 'TEXT' ? `ifnull(${name}, '') || '!'` : `ifnull(${name}, 0) + 1`
        isNoticed(`UPDATE ${table} SET ${name} = ${other} WHERE ${one}`, table)
      }
      isNoticed(`DELETE FROM ${table} WHERE ${one}`, table)
      t.pass(`${table}: ${names}`)
    }
    isNoticed("INSERT INTO market_words (rowid, title) SELECT max(code), 'hail' FROM markets", 'words')
  })

  for (const [name, isFor, fault] of FAULTS) {
    t.test(`notices a writer that ${name}`, async t => {
      const twins = emptyTwins(t)
      const index = JOURNAL.findLastIndex(isFor)
      t.ok(index > 0, 'the journal has a batch for the fault')
      for (const taken of JOURNAL) twins.write(taken)
      const differences = differencesAfter(twins, () => {
        for (const taken of fault(JOURNAL, index)) twins.take(taken)
      })
      t.not(differences.length, 0)
    })
  }

  t.test('notices a writer that loses a flush', async t => {
    const twins = emptyTwins(t)
    for (const taken of JOURNAL) twins.write(taken)
    const differences = differencesAfter(twins, () => {
      for (const taken of JOURNAL.slice(0, BATCHES / 2)) twins.take(taken)
      twins.merged.exec('BEGIN')
      twins.flush()
      twins.merged.exec('ROLLBACK')
      for (const taken of JOURNAL.slice(BATCHES / 2)) twins.take(taken)
    })
    t.not(differences.length, 0)
  })
})

/** Returns what differs after the writer took something; one that throws differs, too. */
function differencesAfter(twins: TwinTables, take: () => void): string[] {
  try {
    take()
    twins.flush()
  } catch (error) {
    return [String(error)]
  }
  return twins.differences()
}
