import { isDeepStrictEqual } from 'node:util'
import { assert } from '../../../src/core/assert.js'
import type { Command } from '../../../src/core/command.js'
import { conversionEffect } from '../../../src/core/conversion.js'
import { keepsOrders } from '../../../src/core/market.js'
import { isOpen, oppositeSide } from '../../../src/core/order.js'
import { unfilledOf } from '../../../src/core/order-record.js'
import type { AccountNumber } from '../../../src/core/units.js'
import { ticks } from '../../../src/core/units.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import type { World } from '../world/world.js'

interface AccountRow {
  readonly number: AccountNumber
  readonly owner: string
  readonly cash: number
  readonly held: number
}

const USER = 'user:'
const MAKER = 'maker:'
/** For questions about contracts alone. */
const NO_PAYOUT = ticks(1)
const POSITIONS = `SELECT p.market, yes, no, yes_locked AS yesLocked, no_locked AS noLocked, paid
  FROM positions p JOIN accounts a ON a.number = p.account WHERE a.owner = ? ORDER BY p.market`
const ORDERS = `SELECT market, number, quantity, covered, filled, filled_value AS filledValue, state, reason,
  updated_at AS updatedAt FROM orders WHERE state IN ('resting', 'partially_filled') ORDER BY market, number`
const MARKETS = `SELECT code, status, outcome, seq, trades, last_price AS lastPrice, volume,
  open_pairs AS openPairs FROM markets ORDER BY code`

/** Checks what holds at any moment, even with commands in flight (invariants, I1 to I5, I8, I16). */
export function assertInvariants(world: World): void {
  const { exchange } = world
  assert(exchange.moneyIsAllThere(), 'the money is all there')
  const [sum] = world.rows<{ readonly cash: number }>('SELECT sum(cash) AS cash FROM accounts')
  assert(sum?.cash === 0, 'all cash on disk sums to zero at any moment')
  for (const market of exchange.directory.all()) assertMarket(market)
  assertLocks(world)
  assertGroups(world)
  const holds = holdsInFlight(world)
  for (const { number, owner } of world.rows<AccountRow>('SELECT number, owner FROM accounts')) {
    const balance = balanceOf(world, number, owner)
    // The table may already have an account that the desk has not applied yet.
    if (balance === undefined) continue
    const { cash, held, available } = balance
    const inFlight = holds.get(number) ?? 0
    assert(available === cash - held - inFlight, 'available is cash less holds less holds in flight')
    assert(available >= 0, 'available cash is never negative')
  }
}

/** Returns the balance in memory of a user or of the house in a market. */
function balanceOf({ exchange, machine: { desk } }: World, number: AccountNumber, owner: string) {
  if (owner.startsWith(USER)) return exchange.balance(owner.slice(USER.length))
  const isKnown = owner.startsWith(MAKER) && desk?.house.owns(number)
  return isKnown ? desk?.ledger.balance(number) : undefined
}

/** Checks that memory equals the tables when nothing is in flight (invariants, I4). */
export function assertTablesAreMemory(world: World): void {
  const { exchange } = world
  assert(world.machine.inFlight.size === 0, 'tables are compared when nothing is in flight')
  for (const { progress, openOrders, arriving, reducing } of exchange.directory.all()) {
    assert(arriving.size + reducing.size === 0, 'no request is arriving when nothing is in flight')
    const isCleared = keepsOrders(progress.status) || openOrders.size === 0
    assert(isCleared, 'no order rests in a market that has closed')
  }
  for (const { owner, cash, held } of world.rows<AccountRow>('SELECT * FROM accounts')) {
    if (!owner.startsWith(USER)) continue
    const userId = owner.slice(USER.length)
    const balance = exchange.balance(userId)
    assert(balance?.cash === cash && balance.held === held, `${owner}: memory equals the table`)
    assert(balance.available === cash - held, `${owner}: no hold is in flight`)
    const shown = exchange.userChannel
      .positions(userId)
      .map(({ market, contracts }) => ({ market, ...contracts }))
    const kept = world.rows<{ yes: number; no: number }>(POSITIONS, owner)
    const open = kept.filter(({ yes, no }) => yes > 0 || no > 0)
    assert(isDeepStrictEqual(shown, open), `${owner}: the positions in memory are those of the table`)
  }
  const orders = [...exchange.directory.all()].flatMap(({ openOrders }) =>
    [...openOrders.values()]
      .sort((a, b) => a.number - b.number)
      .map(order => {
        const { market, number, quantity, covered, filled, filledValue, state, updatedAt } = order
        const { reason = null } = order
        return { market, number, quantity, covered, filled, filledValue, state, reason, updatedAt }
      }),
  )
  assert(isDeepStrictEqual(orders, world.rows(ORDERS)), 'the open orders in memory are those of the table')
  const markets = Array.from(exchange.directory.all(), ({ terms: { code }, progress }) => {
    const { status, outcome = null, seq, trades, lastPrice = null, volume, openPairs } = progress
    return { code, status, outcome, seq, trades, lastPrice, volume, openPairs }
  })
  assert(isDeepStrictEqual(markets, world.rows(MARKETS)), 'the markets in memory are those of the table')
}

function assertMarket({ terms, progress, ladder, openOrders }: DeskMarket): void {
  const [bid] = ladder.bids(1)
  const [ask] = ladder.asks(1)
  assert(bid === undefined || ask === undefined || bid[0] < ask[0], 'no book is ever crossed')
  assert(progress.openPairs <= terms.capacity, 'open pairs never exceed the capacity')
  const isOver = progress.outcome !== undefined && progress.status !== 'resolved'
  assert(!isOver || progress.openPairs === 0, 'no pair is left in a final market')
  const levels = { yes: new Map<number, number>(), no: new Map<number, number>() }
  for (const order of openOrders.values()) {
    const left = unfilledOf(order)
    assert(isOpen(order.state) && order.state !== 'queued', 'an open order rests')
    assert(left > 0 && left <= order.quantity, 'an open order has an unfilled remainder')
    assert(order.covered >= 0 && order.covered <= left, 'the covered part is within the remainder')
    assert(order.price % terms.tickSize === 0, 'an order rests on the tick')
    const side = levels[order.side]
    side.set(order.price, (side.get(order.price) ?? 0) + left)
  }
  const isWhole =
    sameLevels(ladder.bids(), levels.yes, (a, b) => b - a) &&
    sameLevels(ladder.asks(), levels.no, (a, b) => a - b)
  assert(isWhole, 'the ladder is the sum of the open orders')
}

/** Checks that the escrow of a group is what each outcome that may still win would be paid, and the fees. */
function assertGroups({ machine: { desk }, branches }: World): void {
  if (desk === undefined) return
  for (const { terms, markets, pool, progress } of desk.groups.all()) {
    if (pool === undefined) continue
    const live = markets.filter(market => market.progress.outcome === undefined)
    const fees = markets.reduce((sum, market) => sum + market.progress.fees, 0)
    // An escrow without an account has nothing.
    const cash = desk.ledger.isOpen(pool.escrow) ? desk.ledger.balance(pool.escrow).cash : 0
    const counted = markets.map(market => {
      const sums = { yes: 0, no: 0 }
      for (const [, { yes, no }] of desk.ledger.positions(market.terms.code)) {
        sums.yes += yes
        sums.no += no
      }
      return [market, sums] as const
    })
    for (const winner of live) {
      const pays = counted.reduce((sum, [market, { yes, no }]) => sum + (market === winner ? yes : no), 0)
      assert(cash - fees === terms.payout * pays, `the escrow is what is paid if ${winner.terms.code} wins`)
    }
    for (const [market, { yes, no }] of counted) {
      if (!live.includes(market)) continue
      assert(yes === no + progress.sets, 'an outcome has more YES than NO by the sets of its group')
    }
    branches.count('group lived with more YES than NO', live.length > 0 && progress.sets > 0)
    branches.count('group lived with more NO than YES', live.length > 0 && progress.sets < 0)
  }
}

function sameLevels(
  shown: readonly (readonly [number, number])[],
  summed: ReadonlyMap<number, number>,
  order: (a: number, b: number) => number,
): boolean {
  return shown.join(' ') === [...summed].sort(([a], [b]) => order(a, b)).join(' ')
}

/** Checks that free contracts are those that no order sells, resting or in flight. */
function assertLocks({ machine: { desk, inFlight } }: World): void {
  if (desk === undefined) return
  const locks = locksInFlight(inFlight)
  for (const { terms } of desk.markets.all()) {
    for (const [account, contracts] of desk.ledger.positions(terms.code)) {
      for (const outcome of ['yes', 'no'] as const) {
        const locked = outcome === 'yes' ? contracts.yesLocked : contracts.noLocked
        const onTheirWay = locks.get(`${terms.code} ${account} ${outcome}`) ?? 0
        const free = desk.ledger.free(terms.code, account, outcome)
        assert(
          free === contracts[outcome] - locked - onTheirWay,
          'free contracts are those that no order sells',
        )
      }
    }
  }
}

/** Sums the contracts locked by commands in flight, by position. */
function locksInFlight(commands: Iterable<Command>): Map<string, number> {
  const locks = new Map<string, number>()
  const add = (name: string, value: number) => locks.set(name, (locks.get(name) ?? 0) + value)
  for (const command of commands) {
    if (command.type === 'MERGE_PAIRS') {
      const { market, account, quantity } = command
      for (const outcome of ['yes', 'no']) add(`${market} ${account} ${outcome}`, quantity)
    } else if (command.type === 'CREATE_ORDER' && 'hold' in command.admission) {
      const { market, account, data, admission } = command
      add(`${market} ${account} ${oppositeSide(data.side)}`, admission.covered)
    } else if (command.type === 'REPLACE_ORDER') {
      const { market, order, extraCovered } = command
      add(`${market} ${order.account} ${oppositeSide(order.data.side)}`, extraCovered)
    } else if (command.type === 'REPLACE_QUOTES' || command.type === 'REQUOTE_HOUSE') {
      const { market, account, extraYes, extraNo } = command
      add(`${market} ${account} yes`, extraYes)
      add(`${market} ${account} no`, extraNo)
    } else if (command.type === 'CONVERT') {
      const { account, lots } = command
      const { takes } = conversionEffect(command, NO_PAYOUT)
      for (const market of takes.markets) add(`${market} ${account} ${takes.side}`, lots)
    }
  }
  return locks
}

/** Sums the holds of commands in flight, by account. */
function holdsInFlight({ machine, exchange }: World): Map<AccountNumber, number> {
  const holds = new Map<AccountNumber, number>()
  const add = (account: AccountNumber, value: number) => holds.set(account, (holds.get(account) ?? 0) + value)
  for (const command of machine.inFlight) {
    if (command.type === 'CREATE_ORDER' && 'hold' in command.admission)
      add(command.account, command.admission.hold)
    else if (command.type === 'REPLACE_ORDER') add(command.order.account, command.extraHold)
    else if (command.type === 'REPLACE_QUOTES' || command.type === 'REQUOTE_HOUSE')
      add(command.account, command.extraHold)
    else if (command.type === 'RETURN_HOUSE_MONEY') add(command.account, command.amount)
    else if (command.type === 'TRANSFER_MONEY' && command.direction === 'withdrawal')
      add(command.account, command.amount)
    else if (command.type === 'SETTLE_POSITIONS')
      for (const [account, , , , held] of command.positions) add(account, held)
    else if (command.type === 'CONVERT') {
      const group = exchange.groups.get(command.group)
      assert(group !== undefined, 'a conversion is of a group')
      const { cash } = conversionEffect(command, group.terms.payout)
      if (cash < 0) add(command.account, -cash)
    }
  }
  return holds
}
