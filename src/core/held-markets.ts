import type { AccountNumber, MarketCode } from './units.js'

/** In which markets each account has contracts: who asks for a user's positions looks at no others. */
export class HeldMarkets {
  readonly #byAccount = new Map<AccountNumber, Set<MarketCode>>()

  /** Returns the account's markets, the lowest code first. */
  of(account: AccountNumber): MarketCode[] {
    return [...(this.#byAccount.get(account) ?? [])].sort((a, b) => a - b)
  }

  /** Takes over a position that has changed. */
  note(market: MarketCode, account: AccountNumber, { yes, no }: { yes: number; no: number }): void {
    const markets = this.#byAccount.get(account)
    if (yes > 0 || no > 0) {
      if (markets === undefined) this.#byAccount.set(account, new Set([market]))
      else markets.add(market)
    } else if (markets?.delete(market) && markets.size === 0) {
      this.#byAccount.delete(account)
    }
  }
}
