import { assert, unreachable } from '../core/assert.js'
import type { RestingOrder } from '../core/book/order-book.js'
import type {
  Command,
  CommandBatch,
  MarketCommand,
  Note,
  OpenAccount,
  TransferMoney,
} from '../core/command.js'
import type {
  BatchOutcome,
  EngineEvent,
  MarketChange,
  OrderChange,
  Settlement,
} from '../core/engine-event.js'
import { EXTERNAL } from '../core/ledger.js'
import type { MarketProgress, MarketTerms } from '../core/market.js'
import { newProgress } from '../core/market.js'
import type { EditOutcome } from '../core/market-edit.js'
import { Postings } from '../core/postings.js'
import type { MarketCode, TimeMs } from '../core/units.js'
import type { BookAnswer, BookQuestion } from './book-questions.js'
import { answerOf } from './book-questions.js'
import { ShardMarket } from './shard-market.js'

/**
 * The state machine of one shard: its markets and their books. The same batches in the same order give the
 * same state and the same outcomes, bit for bit; time, ids and randomness come in with the commands.
 */
export class Engine {
  readonly #markets = new Map<MarketCode, ShardMarket>()

  /** Restores a market from the tables, with its resting orders in order of arrival. */
  restore(terms: MarketTerms, progress: MarketProgress, orders: Iterable<RestingOrder>): void {
    const market = new ShardMarket(terms, progress)
    this.#markets.set(terms.code, market)
    market.restore(orders)
  }

  /** Forgets a market, until it is restored. */
  forget(code: MarketCode): void {
    this.#markets.delete(code)
  }

  /** Returns the markets sorted by code, for the state hash and for tests. */
  markets(): ShardMarket[] {
    return [...this.#markets.values()].sort((a, b) => a.terms.code - b.terms.code)
  }

  apply(batch: CommandBatch): BatchOutcome {
    const postings = new Postings()
    const touched = new Set<ShardMarket>()
    for (const command of batch.commands) {
      if (command.type === 'OPEN_ACCOUNT') openAccount(command, postings)
      else if (command.type === 'TRANSFER_MONEY') transfer(command, postings)
      else if (!isNote(command)) touched.add(this.#applyToMarket(command, batch.at, postings))
    }
    return collect(touched, postings)
  }

  /** Answers a question about a book. Changes nothing. */
  look(question: BookQuestion): BookAnswer {
    const market = this.#markets.get(question.market)
    assert(market !== undefined, 'a question reaches the shard of its market')
    return answerOf(market, question)
  }

  #applyToMarket(command: MarketCommand, at: TimeMs, postings: Postings): ShardMarket {
    if (command.type === 'CREATE_MARKET') return this.#create(command.terms, command.status)
    const market = this.#markets.get(command.market)
    assert(market !== undefined, 'a command reaches the shard of its market')
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
        market.move(command.to, postings)
        break
      case 'CLEAR_BOOK':
        market.clear(command.length, postings)
        break
      case 'RESOLVE_MARKET':
        market.resolve(command, postings)
        break
      case 'SETTLE_POSITIONS':
        market.settle(command.positions, postings)
        break
      case 'MERGE_PAIRS':
        market.merge(command.account, command.quantity, postings)
        break
      default:
        unreachable(command)
    }
    return market
  }

  #create(terms: MarketTerms, status: MarketProgress['status']): ShardMarket {
    assert(!this.#markets.has(terms.code), 'a market code is used once')
    const market = new ShardMarket(terms, newProgress(status))
    this.#markets.set(terms.code, market)
    return market
  }
}

/** Tells notes for the journal from what a shard decides. */
export function isNote(command: Command): command is Note {
  switch (command.type) {
    case 'KEEP_BATCH':
    case 'NOTE_BACKUP':
    case 'CONFIRM_CLOCK':
    case 'SET_TIMER':
    case 'FIRE_TIMER':
      return true
    default:
      return false
  }
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

function collect(touched: ReadonlySet<ShardMarket>, postings: Postings): BatchOutcome {
  const events: EngineEvent[] = []
  const orders: OrderChange[] = []
  const markets: MarketChange[] = []
  const settlements: Settlement[] = []
  const edits: EditOutcome[] = []
  for (const market of touched) {
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
    accounts: postings.accounts(),
    positions: postings.positions(),
    entries: postings.entries,
    settlements,
  }
}
