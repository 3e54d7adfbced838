import { assert } from '../../../src/core/assert.js'
import type { Outcome } from '../../../src/core/market.js'
import { keepsOrders } from '../../../src/core/market.js'
import type { MarketEdit } from '../../../src/core/market-edit.js'
import type { MarketCode } from '../../../src/core/units.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import type { MarketMove, MoveRefusal } from '../../../src/exchange/markets/market-life.js'
import type { RareBranches } from '../workload/rare-branches.js'
import type { EditAnswer } from './edits-told.js'
import { EditsTold } from './edits-told.js'

interface Told {
  readonly edits: EditsTold
  isClosed: boolean
  outcome: Outcome | undefined
  /** Outcomes requested but not answered before a crash. */
  unanswered: Set<Outcome>
}

/** Checks answers about markets: created ones exist, closed ones stay closed, each has one outcome. */
export class MarketsTold {
  readonly #markets = new Map<MarketCode, Told>()
  readonly #branches: RareBranches

  constructor(branches: RareBranches) {
    this.#branches = branches
  }

  created(slug: string, market: DeskMarket): void {
    assert(market.listing.slug === slug, 'a market is created as requested')
    this.#told(market)
  }

  moved(market: DeskMarket, move: MarketMove, wasThere: boolean, refusal: MoveRefusal | undefined): void {
    this.#branches.count('answer: move refused', refusal !== undefined)
    this.#branches.count('answer: moved once more', refusal === undefined && wasThere)
    if (refusal !== undefined || move !== 'close') return
    assert(!keepsOrders(market.progress.status), 'a closed market keeps no orders')
    this.#told(market).isClosed = true
  }

  askedToEdit(market: DeskMarket, edit: MarketEdit): void {
    this.#told(market).edits.asked(edit)
  }

  edited(market: DeskMarket, edit: MarketEdit, answer: EditAnswer): void {
    this.#told(market).edits.answered(edit, answer)
  }

  askedToResolve(market: DeskMarket, outcome: Outcome): void {
    this.#told(market).unanswered.add(outcome)
  }

  resolved(market: DeskMarket, outcome: Outcome, refusal: MoveRefusal | undefined): void {
    const told = this.#told(market)
    told.unanswered.delete(outcome)
    if (refusal === undefined) {
      this.#branches.count('answer: resolved once more', told.outcome === outcome)
      assert(told.outcome === undefined || told.outcome === outcome, 'a market has one outcome')
      assert(market.progress.outcome === outcome, 'an outcome is answered only once it is on disk')
      told.outcome = outcome
      return
    }
    this.#branches.count('answer: another outcome refused', refusal.outcome !== undefined)
    this.#branches.count('answer: not to be resolved yet', refusal.outcome === undefined)
    assert(refusal.outcome !== outcome, 'the same outcome is never refused')
    assert(
      told.outcome === undefined || told.outcome === refusal.outcome,
      'a refusal names the outcome already answered',
    )
  }

  assertKept(find: (code: MarketCode) => DeskMarket | undefined): void {
    for (const [code, told] of this.#markets) {
      const market = find(code)
      assert(market !== undefined, `a created market exists: ${code}`)
      const { terms, listing, progress } = market
      told.edits.assertKept(code, terms, listing)
      assert(!told.isClosed || !keepsOrders(progress.status), `a closed market stays closed: ${code}`)
      const { outcome } = progress
      assert(told.outcome === undefined || told.outcome === outcome, `an answered outcome is kept: ${code}`)
      if (told.outcome !== undefined || outcome === undefined) continue
      assert(told.unanswered.has(outcome), `an outcome was requested: ${code}`)
      this.#branches.count('crash: unanswered resolution was kept')
    }
  }

  /** What is known of a market; one that is shown is told, whether or not its creation was answered. */
  #told({ terms, listing }: DeskMarket): Told {
    const known = this.#markets.get(terms.code)
    if (known !== undefined) return known
    const open = { isClosed: false, outcome: undefined }
    const edits = new EditsTold(this.#branches, terms, listing)
    const told: Told = { edits, ...open, unanswered: new Set() }
    this.#markets.set(terms.code, told)
    return told
  }
}
