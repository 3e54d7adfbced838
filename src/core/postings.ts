import { assert } from './assert.js'
import type { Side } from './order.js'
import type { AccountNumber, Amount, MarketCode, OrderNumber } from './units.js'

/**
 * The change of an account: its cash, and the part of it held for open orders. Units of ₹0.0001.
 */
export interface AccountPosting {
  readonly account: AccountNumber
  cash: number
  held: number
}

/**
 * The change of one user's position in one market: contracts and the part locked by open sell orders (lots),
 * and the net cash the user has put in.
 */
export interface PositionPosting {
  readonly market: MarketCode
  readonly account: AccountNumber
  yes: number
  no: number
  yesLocked: number
  noLocked: number
  paid: number
}

/** One line of a user's statement: why their cash changed. */
export interface CashEntry {
  readonly account: AccountNumber
  readonly kind:
    | 'opening'
    | 'deposit'
    | 'withdrawal'
    | 'trade'
    | 'merge'
    | 'conversion'
    | 'settlement'
    | 'void'
    | 'shortfall'
    | 'house_quotes'
  readonly change: number
  /** The fee of a trade, which `change` includes; absent if there is none. */
  readonly fee?: Amount
  readonly market?: MarketCode
  /** The user's order in a trade, and the trade's number; of a conversion, its number in the group. */
  readonly order?: OrderNumber
  readonly trade?: number
  readonly txnId?: string
}

/** A statement line that belongs to a market. */
export type MarketEntry = CashEntry & { readonly market: MarketCode }

/**
 * The net changes of money and contracts in one batch: one posting per account, one per position. They are
 * written to disk and then applied to the main thread's ledger.
 */
export class Postings {
  readonly #accounts = new Map<AccountNumber, AccountPosting>()
  readonly #positions = new Map<MarketCode, Map<AccountNumber, PositionPosting>>()
  readonly entries: CashEntry[] = []

  /** Changes an account's cash without a statement line. */
  cash(account: AccountNumber, change: number): void {
    this.#account(account).cash += change
  }

  /**
   * Changes a user's cash and adds the line to their statement. Without a change there is no line, except for
   * a trade or a conversion: it may move no cash, but did happen.
   */
  enter(entry: CashEntry): void {
    if (entry.change === 0 && entry.kind !== 'trade' && entry.kind !== 'conversion') return
    this.cash(entry.account, entry.change)
    this.entries.push(entry)
  }

  /** Moves cash between a user and a pool, and counts it in the user's net payments there. */
  flow(entry: MarketEntry, pool: MarketCode): void {
    this.enter(entry)
    this.#position(pool, entry.account).paid -= entry.change
  }

  /** Reduces a user's net payments to a pool without moving cash: other accounts cover the difference. */
  forgive(pool: MarketCode, account: AccountNumber, paid: number): void {
    this.#position(pool, account).paid -= paid
  }

  held(account: AccountNumber, change: number): void {
    this.#account(account).held += change
  }

  contracts(market: MarketCode, account: AccountNumber, outcome: Side, change: number): void {
    this.#position(market, account)[outcome] += change
  }

  locked(market: MarketCode, account: AccountNumber, outcome: Side, change: number): void {
    this.#position(market, account)[outcome === 'yes' ? 'yesLocked' : 'noLocked'] += change
  }

  /** Returns the changed accounts. Money only moves: the changes of cash sum to zero (invariants, I1). */
  accounts(): AccountPosting[] {
    const accounts = [...this.#accounts.values()]
    let sum = 0
    for (const posting of accounts) {
      assert(Number.isSafeInteger(posting.cash), 'a change of cash is an integer below 2^53')
      assert(Number.isSafeInteger(posting.held), 'a change of holds is an integer below 2^53')
      sum += posting.cash
    }
    assert(sum === 0, 'the changes of cash in a batch sum to zero')
    return accounts
  }

  positions(): PositionPosting[] {
    const positions: PositionPosting[] = []
    for (const perAccount of this.#positions.values()) {
      for (const posting of perAccount.values()) positions.push(posting)
    }
    return positions
  }

  #account(account: AccountNumber): AccountPosting {
    const known = this.#accounts.get(account)
    if (known !== undefined) return known
    const posting = { account, cash: 0, held: 0 }
    this.#accounts.set(account, posting)
    return posting
  }

  #position(market: MarketCode, account: AccountNumber): PositionPosting {
    let perAccount = this.#positions.get(market)
    if (perAccount === undefined) {
      perAccount = new Map()
      this.#positions.set(market, perAccount)
    }
    const known = perAccount.get(account)
    if (known !== undefined) return known
    const posting = {
      market,
      account,
      yes: 0,
      no: 0,
      yesLocked: 0,
      noLocked: 0,
      paid: 0,
    }
    perAccount.set(account, posting)
    return posting
  }
}
