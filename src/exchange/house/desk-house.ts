import { assert } from '../../core/assert.js'
import type { FundQuotes, HouseMoneyCommand } from '../../core/house/house-command.js'
import type { QuoteTable } from '../../core/house/quote-table.js'
import { rungPrice } from '../../core/house/quote-table.js'
import type { Ledger } from '../../core/ledger.js'
import type { AccountNumber, Amount, MarketCode, PriceTicks, TimeMs } from '../../core/units.js'
import { amount, NOTHING } from '../../core/units.js'
import type { StoredQuotes } from '../../store/rows/house-rows.js'
import type { EndedSource } from '../markets/ended-units.js'
import type { MarketDirectory } from '../markets/market-directory.js'

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

/** House quotes of the markets that memory has. Their accounts are known by number, never by name. */
export class DeskHouse {
  readonly #ledger: Ledger
  readonly #markets: MarketDirectory
  /** The accounts of all quotes that there ever were. */
  readonly #accounts = new Set<AccountNumber>()
  readonly #byAccount = new Map<AccountNumber, Funding>()
  readonly #byMarket = new Map<MarketCode, Funding[]>()
  /** Those whose money is not all back. */
  readonly open = new Set<Funding>()

  constructor(ledger: Ledger, markets: MarketDirectory) {
    this.#ledger = ledger
    this.#markets = markets
  }

  /** Returns true if an account is the house's. */
  owns(account: AccountNumber): boolean {
    return this.#accounts.has(account)
  }

  /** Returns all house quotes that a market has had, oldest first. Reads those that memory has forgotten. */
  of(market: MarketCode): readonly Funding[] {
    const known = this.#byMarket.get(market)
    if (known !== undefined || this.#accounts.size === 0 || !this.#markets.ended.has(market))
      return known ?? NONE
    return this.#markets.source?.quotes(market).map(stored => fundingOf(stored, undefined)) ?? NONE
  }

  /** Returns true if the house has money in a market. */
  isOpenIn(market: MarketCode): boolean {
    return this.#byMarket.get(market)?.some(funding => this.open.has(funding)) ?? false
  }

  /** Returns true if the tables have all of the quotes that memory has of a market. */
  areStored(source: EndedSource, market: MarketCode): boolean {
    const known = this.#byMarket.get(market) ?? NONE
    const stored = known.length === 0 ? [] : source.quotes(market)
    return known.every(({ returned, stoppedAt }, index) => {
      const row = stored[index]
      return row?.returned === returned && row.stoppedAt === stoppedAt
    })
  }

  /** Forgets the quotes of a market, which have paid all back. */
  forget(market: MarketCode): void {
    assert(!this.isOpenIn(market), 'forgotten quotes have paid all back')
    for (const { account } of this.#byMarket.get(market) ?? NONE) this.#byAccount.delete(account)
    this.#byMarket.delete(market)
  }

  /** Notes an account of quotes that memory need not have. */
  noteAccount(account: AccountNumber): void {
    this.#accounts.add(account)
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
    const funding = fundingOf(quotes, table)
    this.#accounts.add(account)
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

/** @param left the table, unless all money is back */
function fundingOf(
  quotes: Omit<StoredQuotes, 'sold' | 'isRunning' | 'isOver'>,
  left: QuoteTable | undefined,
): Funding {
  const { account, market, round, budget, returned, fundedAt, stoppedAt, table } = quotes
  return {
    ...{ account, market, round, budget, returned, fundedAt, stoppedAt, table: left },
    ...{ startPrice: rungPrice(table, table.start), step: table.step },
    ...{ underWay: undefined, quoted: undefined },
  }
}
