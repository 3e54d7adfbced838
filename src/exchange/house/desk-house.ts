import { assert } from '../../core/assert.js'
import type { FundQuotes, HouseMoneyCommand } from '../../core/house/house-command.js'
import type { QuoteTable } from '../../core/house/quote-table.js'
import { rungPrice } from '../../core/house/quote-table.js'
import type { Ledger } from '../../core/ledger.js'
import type { AccountNumber, Amount, MarketCode, PriceTicks, TimeMs } from '../../core/units.js'
import { amount, NOTHING } from '../../core/units.js'
import type { StoredQuotes } from '../../store/rows/house-rows.js'

/** House quotes of a market, from their funding until the last of their money is back. */
export interface Funding {
  readonly account: AccountNumber
  readonly market: MarketCode
  readonly round: number
  readonly budget: Amount
  readonly startPrice: PriceTicks
  readonly step: PriceTicks
  /** Undefined once all money is back. */
  table: QuoteTable | undefined
  readonly fundedAt: TimeMs
  stoppedAt: TimeMs | undefined
  returned: Amount
  /** Resolves when the requote or the return in flight has been applied. */
  underWay: Promise<void> | undefined
  /** The means of the house at its last requote: the same again would give the same. */
  quoted: string | undefined
}

const NONE: readonly Funding[] = []

/** All house quotes in the main thread's memory. Its accounts are known by number, never by name. */
export class DeskHouse {
  readonly #ledger: Ledger
  readonly #byAccount = new Map<AccountNumber, Funding>()
  readonly #byMarket = new Map<MarketCode, Funding[]>()
  /** Those whose money is not all back. */
  readonly open = new Set<Funding>()

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** Returns true if an account is the house's. */
  owns(account: AccountNumber): boolean {
    return this.#byAccount.has(account)
  }

  /** Returns all house quotes that a market has had, oldest first. */
  of(market: MarketCode): readonly Funding[] {
    return this.#byMarket.get(market) ?? NONE
  }

  /** Adds stored quotes; their accounts and positions are restored already. */
  restore({ sold: _, isRunning: __, isOver, ...stored }: StoredQuotes): void {
    this.#add(stored, isOver)
  }

  /** Applies a committed command on house quotes. */
  land(command: HouseMoneyCommand, at: TimeMs): void {
    if (command.type === 'FUND_QUOTES') this.#fund(command, at)
    else if (command.type === 'STOP_QUOTES') this.#get(command.account).stoppedAt ??= at
    else {
      this.#ledger.endHold(command.account, command.amount)
      const funding = this.#get(command.account)
      funding.returned = amount(funding.returned + command.amount)
    }
  }

  #fund({ account, market, round, budget, table }: FundQuotes, at: TimeMs): void {
    this.#ledger.endPayIn(budget)
    this.#ledger.open(account)
    const state = { fundedAt: at, stoppedAt: undefined, returned: NOTHING }
    this.#add({ account, market, round, budget, table, ...state }, false)
  }

  /** Forgets what quotes need that trade no more and have paid all back. */
  end(funding: Funding): void {
    funding.table = undefined
    this.open.delete(funding)
  }

  #add(quotes: Omit<StoredQuotes, 'sold' | 'isRunning' | 'isOver'>, isOver: boolean): void {
    const { account, market, table } = quotes
    const funding: Funding = {
      ...quotes,
      ...{ startPrice: rungPrice(table, table.start), step: table.step },
      ...{ underWay: undefined, quoted: undefined },
    }
    this.#byAccount.set(account, funding)
    this.#ledger.noteMaker(market, account, isOver)
    const others = this.#byMarket.get(market)
    if (others === undefined) this.#byMarket.set(market, [funding])
    else others.push(funding)
    this.open.add(funding)
  }

  #get(account: AccountNumber): Funding {
    const funding = this.#byAccount.get(account)
    assert(funding !== undefined, 'the quotes of a committed command exist')
    return funding
  }
}
