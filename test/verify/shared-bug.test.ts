import t from 'tap'
import type { CommandBatch } from '../../src/core/command.js'
import type { BatchOutcome } from '../../src/core/engine-event.js'
import { readCommands } from '../../src/store/command-text.js'
import { Findings } from '../../src/verify/findings.js'
import { countAgain } from '../../src/verify/shadow/recount-money.js'
import { Replay } from '../../src/verify/shadow/replay.js'
import { ExpectedRows } from '../../src/verify/stored/expected-rows.js'
import { Dice } from '../fixtures/dice.js'
import { liveFullDay } from '../fixtures/full-day.js'
import { TestExchange } from '../fixtures/test-exchange.js'

/** An outcome in which a planted bug may change anything. */
type Open<T> = T extends number
  ? number
  : T extends readonly (infer Item)[]
    ? Open<Item>[]
    : T extends object
      ? { -readonly [Key in keyof T]: Open<T[Key]> }
      : T

const test = await TestExchange.open(t)
await liveFullDay(test, new Dice(4), 200)
const batches = test.journal()

/** Replays the day with an engine that fails once, at the first outcome the bug applies to. */
function playWith(bug: (outcome: Open<BatchOutcome>) => boolean): { fills: string[]; money: string[] } {
  const findings = { fills: new Findings(), money: new Findings() }
  const replay = new Replay(new ExpectedRows(), findings)
  const decide = replay.engine.apply.bind(replay.engine)
  let isDone = false
  replay.engine.apply = (batch: CommandBatch) => {
    const outcome = decide(batch)
    if (!isDone) isDone = bug(outcome as unknown as Open<BatchOutcome>)
    return outcome
  }
  for (const { sequence, at, commands } of batches) {
    replay.apply(sequence, { at, commands: readCommands(commands, sequence) })
  }
  countAgain(replay, findings.money)
  t.ok(isDone, 'the bug applies to something in the day')
  return { fills: [...findings.fills.told], money: [...findings.money.told] }
}

/** Changes the first item that matches. */
function first<T>(items: readonly T[], isIt: (item: T) => boolean, change: (item: T) => void): boolean {
  const item = items.find(isIt)
  if (item !== undefined) change(item)
  return item !== undefined
}

t.test('an engine without a bug passes', async t => {
  t.same(
    playWith(() => true),
    { fills: [], money: [] },
  )
})

t.test('a bug shared by journal and tables is found: money', async t => {
  const bugs: readonly (readonly [string, (outcome: Open<BatchOutcome>) => boolean, RegExp])[] = [
    [
      'cash from nowhere',
      o =>
        first(
          o.accounts,
          a => a.account === 5,
          a => (a.cash += 1),
        ),
      /sums to 1/,
    ],
    [
      'cash without a line',
      o =>
        first(
          o.accounts,
          a => a.account > 7,
          a => (a.cash += 1),
        ),
      /entries sum to/,
    ],
    [
      'a line that is too much, with its cash',
      o =>
        first(
          o.entries,
          e => e.kind === 'trade',
          entry => {
            entry.change += 1
            first(
              o.accounts,
              a => a.account === entry.account,
              a => (a.cash += 1),
            )
            first(
              o.accounts,
              a => a.account !== entry.account,
              a => (a.cash -= 1),
            )
          },
        ),
      /account \d+ \(user:\w+\): cash -?\d+, by the fills/,
    ],
    [
      'a hold that stays',
      o =>
        first(
          o.accounts,
          a => a.held < 0,
          a => (a.held += 1),
        ),
      /1 held, its orders need|held, its/,
    ],
    [
      'contracts from nowhere',
      o =>
        first(
          o.positions,
          p => p.yes > 0,
          p => (p.yes += 1),
        ),
      /YES and \d+ NO, by the fills/,
    ],
    [
      'a cost that is forgotten',
      o =>
        first(
          o.positions,
          p => p.paid > 0,
          p => (p.paid -= 1),
        ),
      /put in/,
    ],
    [
      'a settlement that pays too much',
      o =>
        first(
          o.settlements,
          s => s.outcome === 'yes',
          s => (s.payment += 1),
        ),
      /settlement of account \d+ in market 1000001: \d+ for/,
    ],
    [
      'a settlement of contracts that are not there',
      o =>
        first(
          o.settlements,
          s => s.outcome === 'no',
          s => (s.yes += 1),
        ),
      /settlement of account \d+ in market 1000002: \d+ YES/,
    ],
    [
      'a settlement that tells another price',
      o =>
        first(
          o.settlements,
          s => s.outcome === 'no',
          s => (s.paid += 1),
        ),
      /settlement of account \d+ in market 1000002: -?\d+ put in/,
    ],
    [
      'an unwound market that gives too little back',
      o =>
        first(
          o.settlements,
          s => s.outcome === 'void' && s.paid > 0,
          s => (s.payment -= 1),
        ),
      /settlement of account \d+ in market 1000003: \d+ for \d+ put in/,
    ],
    [
      'an unwound market that takes more than the debt',
      o =>
        first(
          o.settlements,
          s => s.outcome === 'void' && s.paid < 0,
          s => (s.payment = s.paid - 1),
        ),
      /settlement of account \d+ in market 1000003: -\d+ for -\d+ put in/,
    ],
  ]
  for (const [what, bug, finding] of bugs) {
    const { money } = playWith(bug)
    t.ok(
      money.some(text => finding.test(text)),
      what,
      { money },
    )
  }
})

t.test('a bug shared by journal and tables is found: orders', async t => {
  const placed = (
    o: Open<BatchOutcome>,
    change: (fill: { price: number; quantity: number; trade: number }) => void,
  ) =>
    o.events.some(event => {
      const [fill] = event.type === 'order_placed' ? event.fills : []
      if (fill !== undefined) change(fill)
      return fill !== undefined
    })
  const bugs: readonly (readonly [string, (outcome: Open<BatchOutcome>) => boolean, RegExp])[] = [
    ['a fill at another price', o => placed(o, fill => (fill.price += 1)), /the maker's price is/],
    ['a fill of another quantity', o => placed(o, fill => (fill.quantity += 1)), /executed \d+, its fills/],
    ['a trade number twice', o => placed(o, fill => (fill.trade -= 1)), /it follows trade/],
    [
      'an order filled on paper',
      o =>
        first(
          o.orders,
          c => c.filled > 0,
          c => (c.filled += 1),
        ),
      /filled, .* left and/,
    ],
    [
      'an order that became smaller by more than was asked',
      o =>
        first(
          o.orders,
          c => c.reduced > 0,
          c => (c.reduced += 1),
        ),
      /it is \d+ smaller, to be \d+ smaller/,
    ],
    [
      'an order that did not become smaller',
      o =>
        first(
          o.orders,
          c => c.reduced > 0,
          c => (c.reduced = 0),
        ),
      /it is 0 smaller, to be \d+ smaller/,
    ],
    [
      'an order that rests and must not',
      o =>
        first(
          o.orders,
          c => c.reason === 'fill_or_kill',
          c => (c.state = 'resting'),
        ),
      /it rests, and must not/,
    ],
    [
      'an order that never left the book',
      o =>
        first(
          o.events,
          e => e.type === 'order_cancelled',
          () => o.events.splice(0, o.events.length),
        ),
      /message \d+ follows/,
    ],
  ]
  for (const [what, bug, finding] of bugs) {
    const { fills } = playWith(bug)
    t.ok(
      fills.some(text => finding.test(text)),
      what,
      { fills },
    )
  }
})

t.test('resting orders that should have matched are found at the end of their batch', async t => {
  const { fills } = playWith(o => {
    const rests = new Set(o.orders.flatMap(c => (c.state === 'partially_filled' ? [c.number] : [])))
    const isOne = (e: (typeof o.events)[number]) =>
      e.type === 'order_placed' && e.fills.length > 0 && rests.has(e.order)
    const event = o.events.find(isOne)
    if (event?.type !== 'order_placed') return false
    event.fills = []
    event.executed = 0
    return true
  })
  t.ok(
    fills.some(text => text.includes('the book is crossed')),
    String(fills),
  )
})
