import type { AccountNumber, MarketCode } from '../units.js'

/**
 * An index of the markets in which each account holds contracts, so that reading positions skips the rest.
 */
export class HeldMarkets {
  readonly #byAccount = new Map<AccountNumber, Set<MarketCode>>()

  /** Returns the account's markets, the lowest code first. */
  of(account: AccountNumber): MarketCode[] {
    return [...(this.#byAccount.get(account) ?? [])].sort((a, b) => a - b)
  }

  /** Updates the index with a position that has changed. */
  update(market: MarketCode, account: AccountNumber, { yes, no }: { yes: number; no: number }): void {
    const markets = this.#byAccount.get(account)
    if (yes > 0 || no > 0) {
      if (markets === undefined) this.#byAccount.set(account, new Set([market]))
      else markets.add(market)
    } else if (markets?.delete(market) && markets.size === 0) {
      this.#byAccount.delete(account)
    }
  }
}
