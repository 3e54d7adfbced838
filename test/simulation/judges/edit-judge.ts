import { assert } from '../../../src/core/assert.js'
import type { MarketListing, MarketTerms } from '../../../src/core/market.js'
import type { MarketEdit } from '../../../src/core/market-edit.js'
import type { Exchange } from '../../../src/exchange/exchange.js'
import type { RareBranches } from '../workload/rare-branches.js'

export type EditAnswer = Awaited<ReturnType<Exchange['editMarket']>>

/** The editable fields of a market, as last answered. */
type Kept = Record<string, unknown>

/** Checks the answers to the edits of one market: accepted edits apply, refused ones do not. */
export class EditJudge {
  readonly #branches: RareBranches
  #kept: Kept
  /** Edits in flight, in order; after a crash it is unknown which of them were applied. */
  #unanswered: MarketEdit[] = []

  constructor(branches: RareBranches, terms: MarketTerms, listing: MarketListing) {
    this.#branches = branches
    this.#kept = keptOf(terms, listing)
  }

  asked(edit: MarketEdit): void {
    this.#unanswered.push(edit)
  }

  answered(edit: MarketEdit, answer: EditAnswer): void {
    assert(this.#unanswered[0] === edit, 'the edits of a market are answered in order')
    this.#unanswered.shift()
    if (answer === undefined) this.#kept = edited(this.#kept, edit)
    if (answer === 'slug_used') this.#branches.count('answer: edit slug_used')
    else if (typeof answer === 'string') this.#branches.count('answer: busy')
    else this.#branches.count(`answer: edit ${answer?.reason ?? 'done'}`)
  }

  /** Checks that the market has every answered edit; each later edit may or may not have applied. */
  assertKept(code: number, terms: MarketTerms, listing: MarketListing): void {
    const found = text(keptOf(terms, listing))
    let possible = [this.#kept]
    for (const edit of this.#unanswered) possible = possible.flatMap(kept => [kept, edited(kept, edit)])
    const isKept = possible.some(kept => text(kept) === found)
    assert(isKept, `a market is as it was edited: ${code} ${found}, and not ${text(this.#kept)}`)
    const [first] = this.#unanswered
    const isChange = first !== undefined && text(edited(this.#kept, first)) !== text(this.#kept)
    if (isChange) {
      const isDone = text(this.#kept) !== found
      this.#branches.count(isDone ? 'crash: unanswered edit was done' : 'crash: unanswered edit was not done')
    }
    this.#unanswered = []
    this.#kept = keptOf(terms, listing)
  }
}

function keptOf(terms: MarketTerms, { createdAt, id, ...words }: MarketListing): Kept {
  return { ...terms, ...words }
}

function edited(kept: Kept, { terms, listing }: MarketEdit): Kept {
  return { ...kept, ...terms, ...listing }
}

const text = (kept: Kept) => JSON.stringify(Object.entries(kept).sort())
