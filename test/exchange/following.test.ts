import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { Ledger } from '../../src/core/ledger.js'
import type { MarketCode, Sequence } from '../../src/core/units.js'
import { amount, lots, ticks, UNITS_PER_RUPEE } from '../../src/core/units.js'
import { refusalBehind } from '../../src/doors/error-refusal.js'
import { NotLeaderError } from '../../src/shard/not-leader-error.js'
import { readCommands } from '../../src/store/command-text.js'
import type { JournalRow } from '../../src/store/journal.js'
import { chainHash } from '../../src/store/journal.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { Dice } from '../fixtures/dice.js'
import { FollowedExchange, openStandby, rowsOf, storedRows } from '../fixtures/followed-exchange.js'
import { liveFullDay } from '../fixtures/full-day.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { fund } from '../fixtures/house-exchange.js'
import { HOUR, MARKET, TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

const USERS = ['asha', 'ben', 'cora', 'dev', 'eve', 'timed', 'low', 'ahead', 'high', 'crowd', 'esha']
const FEES = { ...{ taker: 70, maker: 20 }, categories: new Map() }
const STEPS = 60
const OTHER = (MARKET + 1) as MarketCode
const DAY = ['asha buy 5 @ 5', 'ben sell 3 @ 5', 'cora buy 2 no @ 4', 'dev sell 2 @ 6.5', 'ben buy 4 market']

/** Compares the two a last time, and then every row of every table. */
async function compareFiles(t: Test, followed: FollowedExchange): Promise<void> {
  await followed.leader.exchange.drain()
  await followed.compare()
  const { leader, standby } = followed
  await leader.close()
  await standby.close()
  const [own, its] = [storedRows(standby.file), storedRows(leader.file)]
  for (const [table, rows] of its) t.same(own.get(table), rows, `every row of ${table} is the same`)
  t.same(wrong(verifyFile(standby.file)), [])
}

t.test('a standby is as the exchange that it follows, after each part of a whole day', async t => {
  const dice = Dice.fromEnvironment(t)
  for (const shardCount of [1, 3]) {
    await t.test(`${shardCount} shards decide`, async t => {
      const options = { directory: t.testdir(), shardCount, fees: FEES }
      const followed = await FollowedExchange.open(t, dice, USERS, options)
      t.same(await liveFullDay(followed.leader, dice, 200), [], 'every kind of command was there')
      t.ok(followed.compared > 10, `${followed.compared} comparisons`)
      await compareFiles(t, followed)
    })
  }
})

/** Deals, converts, eliminates, and ends a group with a result or a void. */
async function liveGroup(leader: TestExchange, dice: Dice, isVoid: boolean): Promise<void> {
  const group = await TestGroup.create(leader, dice.between(3, 5), { title: isVoid ? 'Cup' : 'League' })
  const [first, ...rest] = group.letters as unknown as [string, ...string[]]
  await fund(leader, { budget: 100, start: 3 }, group.codeOf(first))
  for (const user of USERS.slice(0, 5)) await group.play(`A: ${user} buy 1 @ 9`, `B: ${user} sell 1 @ 2`)
  for (let step = 0; step < STEPS; step++) {
    const user = dice.oneOf(['asha', 'ben', 'cora', 'dev', 'esha'])
    const live = group.group.live.map(({ listing }) => listing.label ?? '') as [string, ...string[]]
    const letter = dice.oneOf(live)
    if (dice.percent(60)) {
      const order = `${user} ${dice.oneOf(['buy', 'sell'])} ${dice.between(1, 6)} @ ${dice.between(2, 8)}`
      await group.play(`${letter}: ${order}`)
    } else if (dice.percent(95) || live.length < 3) {
      const letters = live.filter(() => dice.percent(50)).join('') || '-'
      await group.convert(`${user} ${dice.oneOf(['release', 'build'])} ${dice.between(1, 4)} of ${letters}`)
    } else {
      await group.close(letter)
      await group.resolveOne(letter, 'no')
    }
  }
  await group.close()
  await group.resolve(isVoid ? 'void' : (group.group.live.at(-1)?.listing.label ?? rest.join('')))
}

t.test('groups are followed, with conversions, house quotes, results and a void', async t => {
  const dice = Dice.fromEnvironment(t)
  const followed = await FollowedExchange.open(t, dice, USERS, {
    directory: t.testdir(),
    shardCount: 2,
    fees: FEES,
  })
  await liveGroup(followed.leader, dice, false)
  await liveGroup(followed.leader, dice, true)
  const kinds = new Set(followed.leader.journalled().map(({ type }) => type))
  for (const kind of [
    'CREATE_GROUP',
    'CONVERT',
    'RESOLVE_GROUP',
    'REQUOTE_HOUSE',
    'RETURN_HOUSE_MONEY',
  ] as const)
    t.ok(kinds.has(kind), `${kind} was there`)
  await compareFiles(t, followed)
})

t.test('a standby goes on after a crash between any two parts, and from a copy of the leader', async t => {
  const dice = Dice.fromEnvironment(t)
  const directory = t.testdir()
  const followed = await FollowedExchange.open(t, dice, USERS, { directory, shardCount: 1 })
  const { leader } = followed
  let count = 0
  const drain = leader.exchange.drain
  leader.exchange.drain = async () => {
    await drain()
    if (!dice.percent(8)) return
    const source = dice.percent(50) ? leader : followed.standby
    const { now } = followed.standby
    count++
    const standby = await openStandby(t, source.crashImage(`${directory}/${count}.db`))
    standby.now = now
    await followed.standby.close()
    followed.goOnWith(standby)
    await followed.compare()
  }
  await liveFullDay(leader, dice, 200)
  t.ok(count > 5, `${count} standbys`)
  await compareFiles(t, followed)
})

/** Opens an exchange, and what opens a standby in a file beside it; all close before their directory goes. */
async function openLeader(t: Test) {
  const standbys: TestExchange[] = []
  t.teardown(async () => {
    for (const standby of standbys) await standby.close()
  })
  const leader = await TestExchange.open(t)
  const standbyIn = async (name: string, options = {}) => {
    const standby = await openStandby(t, join(dirname(leader.file), name), options)
    standbys.push(standby)
    return standby
  }
  return { leader, standbyIn }
}

t.test('rows that do not follow are refused, and change nothing', async t => {
  const { leader, standbyIn } = await openLeader(t)
  await leader.create()
  await leader.playAll(DAY)
  const rows = rowsOf(leader, 0)
  const standby = await standbyIn('standby.db')
  const refused = (given: typeof rows, message: RegExp) =>
    t.rejects(standby.exchange.follow(given), { name: 'RowsRefusedError', message })
  const [first, second, third, ...rest] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]]
  await refused([second], /batch 1 of the journal is missing/)
  await standby.exchange.follow([first])
  await refused([first], /batch 2 of the journal is missing/)
  await refused([third], /batch 2 of the journal is missing/)
  await refused([{ ...second, commands: second.commands.replace('5', '6') }], /batch 2 .* does not follow/)
  await refused([{ ...second, hash: Buffer.alloc(32) }], /batch 2 of the journal does not follow/)
  await refused([second, { ...third, shard: third.shard + 1 }], /batch 3 of the journal does not follow/)
  t.equal(standby.exchange.sequence, 1, 'of a part that is refused, no row is taken')
  await standby.exchange.follow([second, third, ...rest])
  t.same(standby.book(), leader.book())
  t.same(standby.failures, [])
  await t.rejects(leader.exchange.follow([]), /an exchange that leads follows no other/)
})

t.test('a standby refuses all that would change something, and then leads', async t => {
  const { leader, standbyIn } = await openLeader(t)
  await leader.create()
  await leader.playAll(DAY)
  await fund(leader)
  const standby = await standbyIn('standby.db')
  await standby.exchange.follow(rowsOf(leader, 0))
  t.equal(standby.exchange.leads, false)
  standby.now += 30 * HOUR
  standby.exchange.advanceClock()
  await refuseAll(t, standby)
  t.equal(standby.exchange.sequence, leader.exchange.sequence, 'nothing was written')
  standby.now = leader.now
  t.ok(standby.exchange.moneyIsAllThere())

  const last = leader.exchange.sequence
  const by = { who: 'token', address: '127.0.0.1' } as const
  t.ok((await standby.exchange.lead(by)) > last)
  t.equal(standby.exchange.leads, true)
  t.equal((await standby.exchange.health()).shards.length, 2, 'it has the shards of its settings')
  t.equal((await standby.exchange.stateHashes()).length, 2)
  const [row] = rowsOf(standby, last)
  t.match(readCommands(row?.commands ?? '[]', 0), [
    { type: 'BEGIN_EPOCH', epoch: 1, rules: 1, by: { who: 'token' } },
  ])
  await t.rejects(standby.exchange.follow([]), /an exchange that leads follows no other/)
  await t.rejects(standby.exchange.lead(by), /an exchange begins to lead once/)
  const { number } = await standby.place('newcomer buy 3 @ 6')
  t.ok(number > 6, 'orders are numbered on')
  await standby.exchange.drain()
  t.equal(standby.money('newcomer').startsWith('cash'), true)
  t.same(standby.rows('SELECT action, who, fields FROM admin_actions ORDER BY sequence DESC LIMIT 1'), [
    { action: 'begin_epoch', who: 'token', fields: '{"epoch":1,"rules":1}' },
  ])

  const third = await standbyIn('third.db')
  await third.exchange.follow(rowsOf(standby, 0))
  await standby.restart()
  await standby.exchange.drain()
  await third.exchange.follow(rowsOf(standby, third.exchange.sequence))
  await third.exchange.lead({ who: 'standby', address: '' })
  await third.close()
  const epochs = third.journalled().filter(({ type }) => type === 'BEGIN_EPOCH')
  t.match(epochs, [{ epoch: 1 }, { epoch: 2, by: { who: 'standby' } }])
  for (const test of [standby, third]) {
    await test.close()
    t.same(wrong(verifyFile(test.file)), [])
    t.same(test.failures, [])
  }
})

t.test('an exchange in whose place another one may lead decides nothing meanwhile', async t => {
  const log = {
    isCutOff: false,
    whenHeld: () => undefined,
    whenRoom: () => undefined,
    release: async () => {},
  }
  const rowsPort = () => {
    throw new Error('without threads rows are not sent')
  }
  const replica = Object.assign(log, { rowsPort })
  const test = await TestExchange.open(t, { replica })
  await test.create()
  await test.playAll(DAY)
  await fund(test)
  await test.exchange.drain()
  const { sequence } = test.exchange
  const { now } = test
  log.isCutOff = true
  test.now += 30 * HOUR
  test.exchange.advanceClock()
  await refuseAll(t, test)
  await test.exchange.drain()
  t.equal(test.exchange.sequence, sequence, 'nothing was written')
  t.ok(test.exchange.leads)
  test.now = now
  log.isCutOff = false
  await test.playAll(['asha buy 1 @ 5'])
  t.ok(test.exchange.sequence > sequence)
  t.ok(test.exchange.moneyIsAllThere())
})

/** Asks a standby for everything that an exchange does. */
async function refuseAll(t: Test, { exchange }: TestExchange): Promise<void> {
  const market = exchange.market(MARKET)
  if (market === undefined) throw new Error('the market is there')
  const [order] = market.openOrders.values()
  if (order === undefined) throw new Error('an order rests')
  const id = `${order.market}-${order.number}-${order.suffix}`
  const money = amount(UNITS_PER_RUPEE)
  const prices = { outcome: 'yes', yesPrice: 5, askedPrice: 5, quantity: 1 } as const
  const request = { market: MARKET, side: 'yes', orderType: 'LO', selfTrade: 'taker', ...prices } as const
  const key = { name: 'k', fingerprint: 'k' }
  const terms = {
    startAt: 1,
    endAt: 2,
    payout: ticks(1000),
    tickSize: ticks(1),
    capacity: lots(100),
    minBet: money,
    maxBet: money,
  }
  const created = { terms, listing: { title: 'x', slug: 'x', description: '', sot: '' } }
  const season = { name: 'x', startsAt: exchange.now() + 1000, endsAt: exchange.now() + 2000, stake: money }
  const asked: Record<string, Promise<unknown>> = {
    order: exchange.placeOrder({ ...request, userId: 'asha' }),
    'order of a newcomer': exchange.placeOrder({ ...request, userId: 'nobody' }),
    'named order': exchange.placeOrder({ ...request, userId: 'asha', key }),
    batch: exchange.batches.once(key, async () => []),
    cancel: exchange.cancelOrder(id),
    'all cancels': exchange.cancelOrders('asha', undefined),
    reduction: exchange.amendOrder(id, { quantity: 1 }),
    amendment: exchange.amendOrder(id, { price: 3 }),
    'amendment that changes nothing': exchange.amendOrder(id, { name: key }),
    quotes: exchange.quotes.replace({ market: MARKET, userId: 'asha', set: 's', quotes: [] }),
    timer: exchange.timers.set({ userId: 'asha', timeoutMs: 5000, markets: undefined }),
    deposit: exchange.transfer({ userId: 'asha', direction: 'deposit', amount: money, txnId: '1' }),
    withdrawal: exchange.transfer({ userId: 'asha', direction: 'withdrawal', amount: money, txnId: '2' }),
    event: exchange.createMarket(created as never),
    edit: exchange.editMarket(market, { terms: {}, listing: { title: 'y' } }),
    season: exchange.seasons.create(season as never),
    stop: exchange.house.stop(market),
    webhook: exchange.webhookNotes.add({ type: 'EDIT_WEBHOOK', webhook: 'w', fingerprint: 'f' }),
  }
  for (const [what, answer] of Object.entries(asked)) t.equal(await answer, 'not_leader', what)
  const funded = await exchange.house.funding.fund([
    { market, startPrice: ticks(500), step: ticks(50), budget: money },
  ])
  t.match(funded, { refusal: /not_leader|quotes_running/ })
  t.match(
    refusalBehind(new NotLeaderError(), error => t.fail(error.message)),
    {
      code: 503,
      reason: 'not_leader',
    },
  )
  const thrown = { name: 'NotLeaderError' }
  await t.rejects(exchange.moveMarket(market, 'halt'), thrown)
  await t.rejects(exchange.resolveMarket(market, { outcome: 'yes' }), thrown)
  await t.rejects(exchange.backups.make('asked'), thrown)
  t.same([market.pendingStatus, market.pendingOutcome], ['open', undefined], 'nothing is on its way')
}

t.test('the same in threads', async t => {
  const { leader, standbyIn } = await openLeader(t)
  await leader.create()
  await leader.create()
  await leader.playAll(DAY)
  await leader.playAll(DAY, OTHER)
  const standby = await standbyIn('standby.db', { threads: true })
  const rows = rowsOf(leader, 0)
  await t.rejects(standby.exchange.follow(rows.slice(1)), { name: 'RowsRefusedError' })
  await Promise.all([standby.exchange.follow(rows.slice(0, 4)), standby.exchange.follow(rows.slice(4))])
  t.same([standby.book(), standby.book(OTHER)], [leader.book(), leader.book(OTHER)])
  await standby.exchange.lead({ who: 'token', address: '' })
  const newcomer = ['newcomer buy 1 @ 2']
  t.same(await standby.playAll([...DAY, ...newcomer]), await leader.playAll([...DAY, ...newcomer]))
  t.same(await standby.playAll(DAY, OTHER), await leader.playAll(DAY, OTHER))
  t.same(await standby.exchange.stateHashes(), await leader.exchange.stateHashes())
  await standby.close()
  t.same(wrong(verifyFile(standby.file)), [])
  t.same(standby.failures, [])
})

t.test('memory keeps to what is live', async t => {
  const dice = Dice.fromEnvironment(t)
  const ended = new Map<Ledger, Set<number>>()
  const { endPositions } = Ledger.prototype
  t.teardown(() => {
    Ledger.prototype.endPositions = endPositions
  })
  Ledger.prototype.endPositions = function (market) {
    ended.set(this, (ended.get(this) ?? new Set()).add(market))
    endPositions.call(this, market)
  }
  const { leader, standbyIn } = await openLeader(t)
  await liveGroup(leader, dice, true)
  await liveGroup(leader, dice, false)
  await leader.exchange.drain()
  const rows = rowsOf(leader, 0)
  const standby = await standbyIn('standby.db')
  for (const row of rows) await standby.exchange.follow([row])
  const [its, own] = [...ended.values()].map(codes => [...codes].sort())
  t.ok(its !== undefined && its.length > 4)
  t.same(own, its, 'positions that were paid are forgotten, where the leader forgets them')
})

t.test('rows of rules that are not known are refused', async t => {
  const { leader, standbyIn } = await openLeader(t)
  const first = await standbyIn('first.db')
  await leader.create()
  await first.exchange.follow(rowsOf(leader, 0))
  await first.exchange.lead({ who: 'token', address: '' })
  await first.close()
  first.tamper(`UPDATE admin_actions SET fields = '{"epoch":1,"rules":2}' WHERE action = 'begin_epoch'`)
  await t.rejects(
    first.restart(),
    /epoch 1 has rules 2, this version knows those up to 1: install a newer one/,
  )
})

t.test(
  'rows of a form that is not known, or that cannot be read, are refused, and the standby goes on',
  async t => {
    const { leader, standbyIn } = await openLeader(t)
    await leader.create()
    const rows = rowsOf(leader, 0)
    const standby = await standbyIn('standby.db')
    await standby.exchange.follow(rows)
    const before = rows.at(-1) as JournalRow
    const next = (commands: string): JournalRow => {
      const row = { ...before, sequence: (before.sequence + 1) as Sequence, commands }
      return { ...row, hash: chainHash(before.hash, row) }
    }
    for (const [commands, message] of [
      ['[2,[1]]', /batch \d+ has form 2, this program knows 1: start a newer Raay/],
      ['[1,[99]]', /batch \d+ has a command that this program does not know/],
      ['[1,', /batch \d+ cannot be read/],
    ] as const) {
      await t.rejects(standby.exchange.follow([next(commands)]), { name: 'RowsRefusedError', message })
    }
    t.equal(standby.failures.length, 0)
    await leader.playAll(DAY)
    await standby.exchange.follow(rowsOf(leader, before.sequence))
    t.equal(standby.exchange.sequence, leader.exchange.sequence)
    t.same(standby.exchange.balance('asha'), leader.exchange.balance('asha'))
  },
)

t.test('an epoch that does not follow from the one before stops a standby', async t => {
  const { leader, standbyIn } = await openLeader(t)
  await leader.create()
  const rows = rowsOf(leader, 0)
  const standby = await standbyIn('standby.db')
  await standby.exchange.follow(rows)
  const before = rows.at(-1) as JournalRow
  const epoch = (number: number, rules: number): JournalRow => {
    const by = { who: 'token', address: '', fields: {} }
    const commands = JSON.stringify([{ type: 'BEGIN_EPOCH', id: 'x', epoch: number, rules, by }])
    const row = { ...before, sequence: (before.sequence + 1) as Sequence, commands }
    return { ...row, hash: chainHash(before.hash, row) }
  }
  const refused = { name: 'RowsRefusedError', message: /epoch 1 has rules 2, this version knows/ }
  await t.rejects(standby.exchange.follow([epoch(1, 2)]), refused)
  t.equal(standby.failures.length, 0)
  await t.rejects(standby.exchange.follow([epoch(2, 1)]), /epochs follow each other: epoch 2 follows epoch 0/)
  t.equal(standby.failures.length, 1)
  await standby.close()
  t.match(wrong(verifyFile(standby.file)), [/epoch 2 follows epoch 0/])
})

/** Faults in the memory of a standby, each of which must stop it. */
const PLANTS: Readonly<Record<string, (standby: TestExchange) => () => void>> = {
  'money is not held': () => replaced('hold', () => undefined),
  'contracts are not locked': () => replaced('lock', () => undefined),
  'an account is not opened': () => replaced('openPending', () => undefined),
  'a deposit is not counted': () => replaced('payIn', () => undefined),
}

function replaced<Name extends 'hold' | 'lock' | 'openPending' | 'payIn'>(
  name: Name,
  by: Ledger[Name],
): () => void {
  const before = Ledger.prototype[name]
  Ledger.prototype[name] = by
  return () => {
    Ledger.prototype[name] = before
  }
}

t.test('a fault in the memory of a standby stops it', async t => {
  const { leader, standbyIn } = await openLeader(t)
  await leader.create()
  await leader.playAll(DAY)
  const deposit = {
    userId: 'asha',
    direction: 'deposit',
    amount: amount(UNITS_PER_RUPEE),
    txnId: '1',
  } as const
  await leader.exchange.transfer(deposit)
  for (const [fault, plant] of Object.entries(PLANTS)) {
    const standby = await standbyIn(`${Object.keys(PLANTS).indexOf(fault)}.db`)
    const remove = plant(standby)
    await t.rejects(standby.exchange.follow(rowsOf(leader, 0)), fault)
    remove()
    t.equal(standby.failures.length, 1, fault)
  }
})
