import { assert } from '../core/assert.js'
import type { Settlement } from '../core/engine-event.js'
import type { PositionPosting } from '../core/postings.js'
import type { AccountNumber, MarketCode } from '../core/units.js'
import type { Database } from '../store/database.js'
import { PositionRows } from '../store/rows/position-rows.js'

interface Contracts {
  yes: number
  no: number
  yesLocked: number
  noLocked: number
}

/**
 * The contracts of each position that a shard has changed since the start, to check a batch before it
 * commits: no contracts below zero, no more locked than there are (invariants, I3). A position comes from the
 * tables at its first change; they are then as at the start, because only this shard changes it.
 */
export class PositionsGuard {
  readonly #rows: PositionRows
  readonly #markets = new Map<MarketCode, Map<AccountNumber, Contracts>>()

  /** @param tables a connection that stays open */
  constructor(tables: Database) {
    this.#rows = new PositionRows(tables)
  }

  /** Asserts what a batch does to contracts and locks, and posts it. */
  post(positions: readonly PositionPosting[]): void {
    for (const posting of positions) {
      const { market, account } = posting
      if (!changesContracts(posting)) continue
      const contracts = this.#contractsOf(market, account)
      contracts.yes += posting.yes
      contracts.no += posting.no
      contracts.yesLocked += posting.yesLocked
      contracts.noLocked += posting.noLocked
      const { yes, no, yesLocked, noLocked } = contracts
      const isInBounds = 0 <= yesLocked && yesLocked <= yes && 0 <= noLocked && noLocked <= no
      assert(isInBounds, () => {
        const has = `${yes} YES, ${yesLocked} locked, ${no} NO, ${noLocked} locked`
        return `account ${account} has ${has} in market ${market}`
      })
    }
  }

  /** The number of positions kept. */
  get size(): number {
    let size = 0
    for (const perAccount of this.#markets.values()) size += perAccount.size
    return size
  }

  /** Forgets settled positions: each is settled once, and does not change afterwards. */
  forget(settled: readonly Pick<Settlement, 'market' | 'account'>[]): void {
    for (const { market, account } of settled) {
      const perAccount = this.#markets.get(market)
      if (perAccount?.delete(account) && perAccount.size === 0) this.#markets.delete(market)
    }
  }

  /** Forgets the empty positions of a market with an outcome: they stay empty. */
  forgetEmpty(market: MarketCode): void {
    const perAccount = this.#markets.get(market)
    for (const [account, { yes, no }] of perAccount ?? []) if (yes + no === 0) perAccount?.delete(account)
    if (perAccount?.size === 0) this.#markets.delete(market)
  }

  #contractsOf(market: MarketCode, account: AccountNumber): Contracts {
    let perAccount = this.#markets.get(market)
    if (perAccount === undefined) {
      perAccount = new Map()
      this.#markets.set(market, perAccount)
    }
    let contracts = perAccount.get(account)
    if (contracts === undefined) {
      const { yes = 0, no = 0, yesLocked = 0, noLocked = 0 } = this.#rows.find(market, account) ?? {}
      contracts = { yes, no, yesLocked, noLocked }
      perAccount.set(account, contracts)
    }
    return contracts
  }
}

/** False for net payments alone: those to a group are counted apart from the contracts of its outcomes. */
function changesContracts({ yes, no, yesLocked, noLocked }: PositionPosting): boolean {
  return yes !== 0 || no !== 0 || yesLocked !== 0 || noLocked !== 0
}
