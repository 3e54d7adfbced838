import { assert } from './assert.js'
import type { Account } from './ledger-account.js'
import { assertAccount } from './ledger-account.js'
import type { Side } from './order.js'
import { HeldMarkets } from './positions/held-markets.js'
import type { Position } from './positions/holdings.js'
import { freeOf, Holdings, inFlight } from './positions/holdings.js'
import type { AccountPosting, PositionPosting } from './postings.js'
import type { AccountNumber, Amount, MarketCode, QuantityLots } from './units.js'
import { amount, least, lots, NO_LOTS } from './units.js'

/** The other leg of deposits and withdrawals; the only account that may be negative. */
export const EXTERNAL = 1 as AccountNumber
/** Has the fees of all settled markets. */
export const FEES = 2 as AccountNumber
/** Covers the shortfalls of voided markets. */
export const HOUSE = 3 as AccountNumber
/** Users and escrows are numbered from here. */
export const FIRST_FREE_ACCOUNT = 4 as AccountNumber

/** The most money that users have together: ₹450 billion. */
const PAID_IN_MAX = Math.floor(Number.MAX_SAFE_INTEGER / 2)

export interface Balance {
  readonly cash: Amount
  readonly held: Amount
  readonly available: Amount
}

export interface Contracts {
  readonly yes: QuantityLots
  readonly no: QuantityLots
  readonly yesLocked: QuantityLots
  readonly noLocked: QuantityLots
  /** The net cash the user has put into the market, in units of ₹0.0001; negative if they took more out. */
  readonly paid: number
}

const NO_CONTRACTS: Contracts = { yes: NO_LOTS, no: NO_LOTS, yesLocked: NO_LOTS, noLocked: NO_LOTS, paid: 0 }

export type Totals = Pick<Contracts, 'yes' | 'no' | 'paid'>

/**
 * All money and all contracts, on the main thread. A debit counts as soon as its order is admitted, before it
 * is durable; a credit counts only when its batch has committed. So no crash can leave a negative balance.
 */
export class Ledger {
  /** By number; numbers are dense. */
  readonly #accounts: (Account | undefined)[] = []
  readonly #holdings = new Map<MarketCode, Holdings>()
  readonly #heldMarkets = new HeldMarkets()
  #payingIn = 0

  constructor() {
    for (const account of [EXTERNAL, FEES, HOUSE]) this.open(account)
  }

  /** Adds an account with the stored `cash` and `held`; both 0 for a new one. */
  open(number: AccountNumber, cash = 0, held = 0): void {
    assert(this.#accounts[number] === undefined || number < FIRST_FREE_ACCOUNT, 'an account is opened once')
    while (this.#accounts.length < number) this.#accounts.push(undefined)
    this.#accounts[number] = { cash, held, inFlight: 0, opening: 0 }
  }

  /**
   * Adds an account whose opening is still queued at a shard. Its money may be held at once, but only for
   * orders queued behind the opening at the same shard: no crash can keep such an order and lose the opening.
   */
  openPending(number: AccountNumber, opening: Amount): void {
    this.payIn(opening)
    this.open(number)
    this.#account(number).opening = opening
  }

  /** Ends a pending opening: the batch's postings now carry its money. */
  endOpening(number: AccountNumber, opening: Amount): void {
    const account = this.#account(number)
    assert(account.opening === opening, 'a pending opening ends once')
    account.opening = 0
    this.endPayIn(opening)
  }

  /** Adds a stored position. */
  restore(market: MarketCode, account: AccountNumber, contracts: Contracts): void {
    this.#holdingsOf(market).restore(account, contracts)
    this.#heldMarkets.update(market, account, contracts)
  }

  /** Notes that an account is the house's in a market, and so no trader's; not where that has been paid. */
  noteMaker(market: MarketCode, account: AccountNumber, isPaid: boolean): void {
    if (isPaid && this.#known(market, account) === undefined) return
    this.#holdingsOf(market).addMaker(account)
  }

  /** Counts the positions of a market or group that were paid before, and the fees that left its pool. */
  restoreEnded(market: MarketCode, count: number, fees: Amount): void {
    if (count > 0 || fees > 0) this.#holdingsOf(market).restoreEnded(count, fees)
  }

  /** Forgets an account without money. */
  close(number: AccountNumber): void {
    const { cash, held, inFlight, opening } = this.#account(number)
    assert(cash === 0 && held === 0 && inFlight === 0 && opening === 0, 'a closed account has no money')
    this.#accounts[number] = undefined
  }

  isOpen(number: AccountNumber): boolean {
    return this.#accounts[number] !== undefined
  }

  /** Returns the markets, and groups as pools, with positions in memory. */
  positionedMarkets(): MarketCode[] {
    return [...this.#holdings].filter(([, { isHeld }]) => isHeld).map(([code]) => code)
  }

  hasPositions(market: MarketCode): boolean {
    return this.#holdings.get(market)?.isHeld ?? false
  }

  /** Forgets a market, or group as a pool, without positions. */
  forget(market: MarketCode): void {
    assert(!this.hasPositions(market), 'a forgotten market has no positions')
    this.#holdings.delete(market)
  }

  /** Forgets the positions of a market that has paid them all, so that memory follows the live markets. */
  endPositions(market: MarketCode): void {
    this.#holdings.get(market)?.end()
  }

  balance(number: AccountNumber): Balance {
    const { cash, held, inFlight, opening } = this.#account(number)
    return {
      cash: amount(cash),
      held: amount(held),
      available: amount(cash + opening - held - inFlight),
    }
  }

  contracts(market: MarketCode, account: AccountNumber): Contracts {
    const position = this.#known(market, account)
    if (position === undefined) return NO_CONTRACTS
    const { yes, no, yesLocked, noLocked, paid } = position
    return {
      yes: lots(yes),
      no: lots(no),
      yesLocked: lots(yesLocked),
      noLocked: lots(noLocked),
      paid,
    }
  }

  /** Returns the markets in which a user has contracts now, the lowest code first. */
  marketsOf(account: AccountNumber): MarketCode[] {
    return this.#heldMarkets.of(account)
  }

  /** Returns the number of users who have ever held contracts of a market: its traders, without the house. */
  holders(market: MarketCode): number {
    return this.#holdings.get(market)?.size ?? 0
  }

  /** Returns the totals of a market's contracts and net payments. */
  totals(market: MarketCode): Totals {
    const { yes, no, paid } = this.#holdings.get(market) ?? NO_CONTRACTS
    return { yes: lots(yes), no: lots(no), paid }
  }

  /** Returns the contracts of an outcome that no order has locked. */
  free(market: MarketCode, account: AccountNumber, outcome: Side): QuantityLots {
    const position = this.#known(market, account)
    return position === undefined ? NO_LOTS : freeOf(position, outcome)
  }

  /** Holds money for an order not yet decided. The caller has checked that it is available. */
  hold(number: AccountNumber, value: Amount): void {
    const account = this.#account(number)
    assert(
      value >= 0 && value <= account.cash + account.opening - account.held - account.inFlight,
      'a hold is within the available balance',
    )
    account.inFlight += value
  }

  /** Ends a hold: the order is decided, and its batch's postings carry what is still held. */
  endHold(number: AccountNumber, value: Amount): void {
    const account = this.#account(number)
    account.inFlight -= value
    assert(account.inFlight >= 0, 'each hold ends once')
  }

  /** Locks contracts for an order or a merge not yet decided. The caller has checked that they are free. */
  lock(market: MarketCode, account: AccountNumber, outcome: Side, quantity: QuantityLots): void {
    assert(
      quantity >= 0 && quantity <= this.free(market, account, outcome),
      'a lock is within the free contracts',
    )
    if (quantity > 0) this.#position(market, account)[inFlight(outcome)] += quantity
  }

  endLock(market: MarketCode, account: AccountNumber, outcome: Side, quantity: QuantityLots): void {
    if (quantity === 0) return
    const position = this.#position(market, account)
    position[inFlight(outcome)] -= quantity
    assert(position[inFlight(outcome)] >= 0, 'each lock ends once')
  }

  /** Returns the YES/NO pairs a user could redeem: a pair is worth the payout whatever the outcome. */
  freePairs(market: MarketCode, account: AccountNumber): QuantityLots {
    const position = this.#known(market, account)
    return position === undefined ? NO_LOTS : least(freeOf(position, 'yes'), freeOf(position, 'no'))
  }

  /** Applies the postings of a committed batch. */
  post(accounts: readonly AccountPosting[], positions: readonly PositionPosting[]): void {
    for (const posting of accounts) {
      const account = this.#account(posting.account)
      account.cash += posting.cash
      account.held += posting.held
      assertAccount(account, posting.account === EXTERNAL)
    }
    for (const posting of positions) {
      const { market, account } = posting
      const holdings = this.#holdingsOf(market)
      const { yes, no } = holdings.position(account)
      const wasHeld = yes + no > 0
      const position = holdings.post(posting)
      if (position.yes + position.no > 0 !== wasHeld) this.#heldMarkets.update(market, account, position)
    }
  }

  /**
   * Returns true if the exchange can take this deposit: all deposits together stay below half of what is a
   * safe integer. The other half is for the house: what it pays for a void is at most what all users have.
   */
  canPayIn(value: Amount): boolean {
    return this.#payingIn + value - this.#account(EXTERNAL).cash <= PAID_IN_MAX
  }

  /** Returns true if users could have that much money together. */
  canHold(value: number): boolean {
    return value <= PAID_IN_MAX
  }

  /** Counts a pending deposit, until `endPayIn`. */
  payIn(value: Amount): void {
    assert(this.canPayIn(value), 'a deposit starts only if its total fits')
    this.#payingIn += value
  }

  endPayIn(value: Amount): void {
    this.#payingIn -= value
    assert(this.#payingIn >= 0, 'each deposit ends once')
  }

  /** Yields every account, for audits. */
  *accounts(): Generator<readonly [AccountNumber, Balance]> {
    for (const [index, account] of this.#accounts.entries()) {
      const number = index as AccountNumber
      if (account !== undefined) yield [number, this.balance(number)]
    }
  }

  *positions(market: MarketCode): Generator<readonly [AccountNumber, Contracts]> {
    for (const number of this.#holdings.get(market)?.accounts() ?? [])
      yield [number, this.contracts(market, number)]
  }

  #account(number: AccountNumber): Account {
    const account = this.#accounts[number]
    assert(account !== undefined, 'money moves between open accounts')
    return account
  }

  #known(market: MarketCode, number: AccountNumber): Position | undefined {
    return this.#holdings.get(market)?.known(number)
  }

  #position(market: MarketCode, number: AccountNumber): Position {
    return this.#holdingsOf(market).position(number)
  }

  #holdingsOf(market: MarketCode): Holdings {
    let holdings = this.#holdings.get(market)
    if (holdings === undefined) {
      holdings = new Holdings()
      this.#holdings.set(market, holdings)
    }
    return holdings
  }
}
