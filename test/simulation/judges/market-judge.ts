import { assert } from '../../../src/core/assert.js'
import type { Outcome } from '../../../src/core/market.js'
import { keepsOrders } from '../../../src/core/market.js'
import type { MarketEdit } from '../../../src/core/market-edit.js'
import type { MarketCode } from '../../../src/core/units.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import type { MarketMove, MoveRefusal } from '../../../src/exchange/markets/market-life.js'
import type { RareBranches } from '../workload/rare-branches.js'
import type { EditAnswer } from './edit-judge.js'
import { EditJudge } from './edit-judge.js'

interface KnownMarket {
  readonly edits: EditJudge
  isClosed: boolean
  outcome: Outcome | undefined
  /** Outcomes requested but not answered before a crash. */
  unanswered: Set<Outcome>
  /** Outcomes that a result asked of its group may set. */
  readonly ofGroup: Set<Outcome>
}

/** Checks answers about markets: created ones exist, closed ones stay closed, each has one outcome. */
export class MarketJudge {
  readonly #markets = new Map<MarketCode, KnownMarket>()
  readonly #branches: RareBranches

  constructor(branches: RareBranches) {
    this.#branches = branches
  }

  created(slug: string, market: DeskMarket): void {
    // While the house funds its quotes the creation is not answered, and the market may be edited.
    const isNew = !this.#markets.has(market.terms.code)
    assert(!isNew || market.listing.slug === slug, 'a market is created as requested')
    this.#known(market)
  }

  moved(market: DeskMarket, move: MarketMove, wasThere: boolean, refusal: MoveRefusal | undefined): void {
    this.#branches.count('answer: move refused', refusal !== undefined)
    this.#branches.count('answer: moved once more', refusal === undefined && wasThere)
    if (refusal !== undefined || move !== 'close') return
    assert(!keepsOrders(market.progress.status), 'a closed market keeps no orders')
    this.#known(market).isClosed = true
  }

  askedToEdit(market: DeskMarket, edit: MarketEdit): void {
    this.#known(market).edits.asked(edit)
  }

  edited(market: DeskMarket, edit: MarketEdit, answer: EditAnswer): void {
    this.#known(market).edits.answered(edit, answer)
  }

  /** A result was asked of the group of a market. */
  mayResolve(market: DeskMarket, outcome: Outcome): void {
    this.#known(market).ofGroup.add(outcome)
  }

  askedToResolve(market: DeskMarket, outcome: Outcome): void {
    this.#known(market).unanswered.add(outcome)
  }

  resolved(market: DeskMarket, outcome: Outcome, refusal: MoveRefusal | undefined): void {
    const known = this.#known(market)
    known.unanswered.delete(outcome)
    if (refusal === undefined) {
      this.#branches.count('answer: resolved once more', known.outcome === outcome)
      assert(known.outcome === undefined || known.outcome === outcome, 'a market has one outcome')
      assert(market.progress.outcome === outcome, 'an outcome is answered only once it is on disk')
      known.outcome = outcome
      return
    }
    this.#branches.count('answer: another outcome refused', refusal.outcome !== undefined)
    this.#branches.count('answer: not to be resolved yet', refusal.outcome === undefined)
    assert(refusal.outcome !== outcome, 'the same outcome is never refused')
    assert(
      known.outcome === undefined || known.outcome === refusal.outcome,
      'a refusal names the outcome already answered',
    )
  }

  assertKept(find: (code: MarketCode) => DeskMarket | undefined): void {
    for (const [code, known] of this.#markets) {
      const market = find(code)
      assert(market !== undefined, `a created market exists: ${code}`)
      const { terms, listing, progress } = market
      known.edits.assertKept(code, terms, listing)
      assert(!known.isClosed || !keepsOrders(progress.status), `a closed market stays closed: ${code}`)
      const { outcome } = progress
      assert(known.outcome === undefined || known.outcome === outcome, `an answered outcome is kept: ${code}`)
      if (known.outcome !== undefined || outcome === undefined) continue
      const isAsked = known.unanswered.has(outcome)
      assert(isAsked || known.ofGroup.has(outcome), `an outcome was requested: ${code}`)
      this.#branches.count('crash: unanswered resolution was kept', isAsked)
    }
  }

  /** Returns what is known of a market, which exists even if its creation was never answered. */
  #known({ terms, listing }: DeskMarket): KnownMarket {
    const before = this.#markets.get(terms.code)
    if (before !== undefined) return before
    const open = { isClosed: false, outcome: undefined }
    const edits = new EditJudge(this.#branches, terms, listing)
    const known: KnownMarket = { edits, ...open, unanswered: new Set(), ofGroup: new Set() }
    this.#markets.set(terms.code, known)
    return known
  }
}
