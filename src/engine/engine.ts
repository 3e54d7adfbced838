import { assert, unreachable } from '../core/assert.js'
import type { RestingOrder } from '../core/book/order-book.js'
import type {
  CommandBatch,
  MarketCommand,
  OpenAccount,
  ResolveMarket,
  SettlePositions,
  TransferMoney,
} from '../core/command.js'
import type { ConversionOutcome } from '../core/conversion.js'
import type {
  BatchOutcome,
  EngineEvent,
  GroupChange,
  MarketChange,
  OrderChange,
  Settlement,
} from '../core/engine-event.js'
import type { GroupProgress, GroupTerms } from '../core/group.js'
import { NEW_GROUP } from '../core/group.js'
import type { CreatedMarket, GroupCommand } from '../core/group-command.js'
import { createdMarketsOf } from '../core/command-effects.js'
import { EXTERNAL } from '../core/ledger.js'
import type { MarketProgress, MarketTerms } from '../core/market.js'
import { newProgress } from '../core/market.js'
import type { EditOutcome } from '../core/market-edit.js'
import { Postings } from '../core/postings.js'
import type { AccountNumber, MarketCode, TimeMs } from '../core/units.js'
import type { BookAnswer, BookQuestion } from './book-questions.js'
import { answerOf } from './book-questions.js'
import { isForGroup, isForHouse, isNote } from './command-kinds.js'
import { applyToHouse } from './house-commands.js'
import type { RestoredQuotes } from './shard-house.js'
import { ShardGroup } from './shard-group.js'
import { ShardMarket } from './shard-market.js'

/**
 * The state machine of one shard: its markets and their books. The same batches in the same order give the
 * same state and the same outcomes, bit for bit; time, ids and randomness come in with the commands.
 */
export class Engine {
  readonly #markets = new Map<MarketCode, ShardMarket>()
  readonly #groups = new Map<MarketCode, ShardGroup>()

  /** Restores a group from the tables; its markets follow. */
  restoreGroup(terms: GroupTerms, progress: GroupProgress): void {
    this.#groups.set(terms.code, new ShardGroup(terms, progress))
  }

  /** Restores a market from the tables, with its resting orders in order of arrival, and its quotes. */
  restore(
    terms: MarketTerms,
    progress: MarketProgress,
    orders: Iterable<RestingOrder>,
    quotes: readonly RestoredQuotes[] = [],
  ): void {
    this.#add(terms, progress).restore(orders, quotes)
  }

  /** Returns true if the engine has a market, or a group, with this code. */
  knows(code: MarketCode): boolean {
    return this.#markets.has(code) || this.#groups.has(code)
  }

  /** Forgets a market, or a group with its markets, until it is restored. */
  forget(code: MarketCode): void {
    this.#markets.delete(code)
    for (const { terms } of this.#groups.get(code)?.markets ?? []) this.#markets.delete(terms.code)
    this.#groups.delete(code)
  }

  /** Returns the group of a market, if it has one. */
  groupOf(code: MarketCode): ShardGroup | undefined {
    const group = this.#markets.get(code)?.terms.group
    return group === undefined ? undefined : this.#groups.get(group)
  }

  /** Returns the groups sorted by code, for the state hash and for tests. */
  groups(): ShardGroup[] {
    return [...this.#groups.values()].sort((a, b) => a.terms.code - b.terms.code)
  }

  /** Returns the markets sorted by code, for the state hash and for tests. */
  markets(): ShardMarket[] {
    return [...this.#markets.values()].sort((a, b) => a.terms.code - b.terms.code)
  }

  apply(batch: CommandBatch): BatchOutcome {
    const postings = new Postings()
    const touched: Touched = { markets: new Set(), groups: new Set() }
    for (const command of batch.commands) {
      if (command.type === 'OPEN_ACCOUNT') openAccount(command, postings)
      else if (command.type === 'TRANSFER_MONEY') transfer(command, postings)
      else if (isForGroup(command)) this.#applyToGroup(command, postings, touched)
      else if (!isNote(command)) this.#applyToMarket(command, batch.at, postings, touched)
    }
    return collect(touched, postings)
  }

  /** Answers a question about a book. Changes nothing. */
  look(question: BookQuestion): BookAnswer {
    const market = this.#markets.get(question.market)
    assert(market !== undefined, 'a question reaches the shard of its market')
    return answerOf(market, question)
  }

  #applyToMarket(command: MarketCommand, at: TimeMs, postings: Postings, touched: Touched): void {
    if (command.type === 'CREATE_MARKET') {
      this.#create(command, touched)
      return
    }
    if (command.type === 'SETTLE_POSITIONS') {
      this.#settle(command, postings, touched)
      return
    }
    const market = this.#markets.get(command.market)
    assert(market !== undefined, 'a command reaches the shard of its market')
    touched.markets.add(market)
    if (isForHouse(command)) {
      applyToHouse(market, command, at, postings)
      return
    }
    switch (command.type) {
      case 'CREATE_ORDER':
        market.place(command, at, postings)
        break
      case 'CANCEL_ORDER':
        market.cut({ number: command.number }, command.reason, postings)
        break
      case 'REDUCE_ORDER':
        market.cut(command, 'user_cancelled', postings)
        break
      case 'REPLACE_ORDER':
        market.replace(command, at, postings)
        break
      case 'REPLACE_QUOTES':
        market.replaceQuotes(command, at, postings)
        break
      case 'EDIT_MARKET':
        market.edit(command)
        break
      case 'MOVE_MARKET':
        market.move(command.to, postings, command.clear)
        if (command.to === 'settled') this.groupOf(command.market)?.sweep(postings)
        break
      case 'CLEAR_BOOK':
        market.clear(command.length, postings)
        break
      case 'RESOLVE_MARKET':
        this.#assertMayResolve(market, command)
        market.resolve(command.outcome, postings)
        break
      case 'MERGE_PAIRS':
        market.merge(command.account, command.quantity, postings)
        break
      default:
        unreachable(command)
    }
  }

  #applyToGroup(command: GroupCommand, postings: Postings, touched: Touched): void {
    if (command.type === 'CREATE_GROUP') this.restoreGroup(command.terms, NEW_GROUP)
    const group = this.#groups.get(command.type === 'CREATE_GROUP' ? command.terms.code : command.group)
    assert(group !== undefined, 'a command reaches the shard of its group')
    touched.groups.add(group)
    switch (command.type) {
      case 'CREATE_GROUP':
        for (const created of createdMarketsOf(command)) this.#create(created, touched)
        break
      case 'CONVERT':
        group.convert(command, postings)
        this.#touch(command.markets, touched)
        break
      case 'RESOLVE_GROUP':
        group.resolve(command, postings)
        this.#touch(
          command.outcomes.map(([code]) => code),
          touched,
        )
        break
      case 'EDIT_GROUP':
        break
      default:
        unreachable(command)
    }
  }

  /** Settles positions in a market, or in a void group. */
  #settle({ market: code, positions }: SettlePositions, postings: Postings, touched: Touched): void {
    const market = this.#markets.get(code)
    const group = this.#groups.get(market?.terms.pool ?? code)
    if (group !== undefined) touched.groups.add(group)
    if (market === undefined) {
      assert(group !== undefined, 'positions are settled by the shard of their market')
      group.settle(positions, postings)
      return
    }
    touched.markets.add(market)
    market.settle(positions, postings)
  }

  /** An outcome of an exclusive group can be eliminated; its other results come with those of the group. */
  #assertMayResolve({ terms: { pool } }: ShardMarket, { outcome }: ResolveMarket): void {
    const group = pool === undefined ? undefined : this.#groups.get(pool)
    if (group === undefined) return
    assert(outcome === 'no' && group.live.length > 2, 'the last outcomes left are resolved with their group')
  }

  #touch(codes: readonly MarketCode[], touched: Touched): void {
    for (const code of codes) {
      const market = this.#markets.get(code)
      if (market !== undefined) touched.markets.add(market)
    }
  }

  #create({ terms, status }: Pick<CreatedMarket, 'terms' | 'status'>, touched: Touched): void {
    assert(!this.#markets.has(terms.code), 'a market code is used once')
    touched.markets.add(this.#add(terms, newProgress(status)))
  }

  #add(terms: MarketTerms, progress: MarketProgress): ShardMarket {
    const group = terms.group === undefined ? undefined : this.#groups.get(terms.group)
    assert(terms.group === undefined || group !== undefined, 'a group is there before its markets')
    const market = new ShardMarket(terms, progress, terms.pool === undefined ? undefined : group?.sets)
    group?.add(market)
    this.#markets.set(terms.code, market)
    return market
  }
}

/** The markets and groups that a batch has changed. */
interface Touched {
  readonly markets: Set<ShardMarket>
  readonly groups: Set<ShardGroup>
}

function openAccount({ account, amount }: OpenAccount, postings: Postings): void {
  postings.enter({ account, kind: 'opening', change: amount })
  postings.cash(EXTERNAL, -amount)
}

function transfer({ account, direction, txnId, amount }: TransferMoney, postings: Postings): void {
  assert(amount > 0, 'a transfer moves money')
  const change = direction === 'deposit' ? amount : -amount
  postings.enter({ account, kind: direction, change, txnId })
  postings.cash(EXTERNAL, -change)
}

function collect(touched: Touched, postings: Postings): BatchOutcome {
  const events: EngineEvent[] = []
  const orders: OrderChange[] = []
  const markets: MarketChange[] = []
  const settlements: Settlement[] = []
  const edits: EditOutcome[] = []
  const groups: GroupChange[] = []
  const conversions: ConversionOutcome[] = []
  const makers: AccountNumber[] = []
  for (const group of touched.groups) {
    for (const { house } of group.markets) for (const account of house.accounts) makers.push(account)
    const outcome = group.takeOutcome()
    groups.push(outcome.change)
    for (const conversion of outcome.conversions) conversions.push(conversion)
    for (const settlement of outcome.settlements) settlements.push(settlement)
  }
  for (const market of touched.markets) {
    for (const account of market.house.accounts) makers.push(account)
    const outcome = market.takeOutcome()
    for (const event of outcome.events) events.push(event)
    for (const change of outcome.orders) orders.push(change)
    markets.push(outcome.market)
    for (const settlement of outcome.settlements) settlements.push(settlement)
    for (const edit of outcome.edits) edits.push(edit)
  }
  return {
    events,
    orders,
    markets,
    edits,
    groups,
    conversions,
    accounts: postings.accounts(),
    positions: postings.positions(),
    entries: postings.entries,
    settlements,
    makers,
  }
}
