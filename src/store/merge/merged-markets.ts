import { assert } from '../../core/assert.js'
import type { MarketChange } from '../../core/engine-event.js'
import type { SetResult } from '../../core/command-effects.js'
import type { CreatedMarket } from '../../core/group-command.js'
import type { EditedListing, EditedTerms, EditOutcome } from '../../core/market-edit.js'
import { editedListing } from '../../core/market-edit.js'
import type { MarketCode, QuantityLots, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { MarketWriter } from './market-writer.js'

/** A market as of the last batch taken, as far as batches change it, and what is not written yet. */
interface MergedMarket {
  readonly code: MarketCode
  slug: string
  capacity: QuantityLots
  traders: number
  /** The command that created it, if it is not in the table yet. */
  created: CreatedMarket | undefined
  terms: EditedTerms
  listing: EditedListing
  resolved: { readonly command: SetResult; readonly at: TimeMs } | undefined
  change: MarketChange | undefined
  hasNewTraders: boolean
  isWaiting: boolean
}

/** The markets that batches change; each is written once per flush. */
export class MergedMarkets {
  readonly #writer: MarketWriter
  readonly #select: Statement<Pick<MergedMarket, 'slug' | 'capacity' | 'traders'>>
  readonly #selectBySlug: Statement<MarketCode>
  readonly #freeSlug: Statement
  readonly #cachedMax: number
  readonly #markets = new Map<MarketCode, MergedMarket>()
  #waiting: MergedMarket[] = []
  /** The slugs that batches gave or freed since the last flush; undefined for a free one. */
  readonly #slugs = new Map<string, MarketCode | undefined>()

  constructor(database: Database, cachedMax: number) {
    this.#cachedMax = cachedMax
    this.#writer = new MarketWriter(database)
    this.#select = database.prepare('SELECT slug, capacity, traders FROM markets WHERE code = ?')
    this.#selectBySlug = database
      .prepare<unknown[], MarketCode>('SELECT code FROM markets WHERE slug = ?')
      .pluck()
    // No title's slug has a slash.
    this.#freeSlug = database.prepare("UPDATE markets SET slug = '/' || code WHERE code = ?")
  }

  create(created: CreatedMarket): void {
    const { code, capacity } = created.terms
    const { slug } = created.listing
    this.#giveSlug(code, slug)
    this.#change(this.#add(code, { slug, capacity, traders: 0 })).created = created
  }

  resolve(command: SetResult, at: TimeMs): void {
    this.#change(this.#find(command.market)).resolved = { command, at }
  }

  /** Counts a user's first position in a market. */
  addTrader(code: MarketCode): void {
    const market = this.#change(this.#find(code))
    market.traders++
    market.hasNewTraders = true
  }

  /** Applies an edit unless it was refused. */
  edit({ market: code, terms, listing, refusal }: EditOutcome): void {
    if (refusal !== undefined) return
    const market = this.#change(this.#find(code))
    market.terms = { ...market.terms, ...terms }
    market.listing = { ...market.listing, ...listing }
    market.capacity = terms.capacity ?? market.capacity
    const { slug } = listing
    if (slug === undefined) return
    this.#slugs.set(market.slug, undefined)
    this.#giveSlug(code, slug)
    market.slug = slug
  }

  /** Applies a batch's change, after its edits; throws where the table's CHECK would. */
  apply(change: MarketChange): void {
    const market = this.#change(this.#find(change.code))
    market.change = change
    const isWithin = 0 <= change.openPairs && change.openPairs <= market.capacity
    assert(isWithin, 'the open pairs of a market stay within its capacity')
  }

  /** Writes the markets that wait. A slug that one market gave up and another took is freed first. */
  flush(): void {
    const markets = this.#waiting
    for (const { code, created, listing } of markets)
      if (created === undefined && listing.slug !== undefined) this.#freeSlug.run(code)
    for (const { created, terms, listing } of markets) {
      if (created === undefined) continue
      this.#writer.insert({
        ...created,
        terms: { ...created.terms, ...terms },
        listing: editedListing(created.listing, listing),
      })
    }
    for (const { code, created, terms, listing, resolved, change, traders, hasNewTraders } of markets) {
      const isEdited = Object.keys(terms).length + Object.keys(listing).length > 0
      if (resolved !== undefined) this.#writer.resolve(resolved.command, resolved.at)
      if (hasNewTraders) this.#writer.setTraders(code, traders)
      if (change === undefined) continue
      if (created === undefined && isEdited) this.#writer.edit({ terms, listing }, change)
      this.#writer.update(change)
    }
    for (const market of markets) Object.assign(market, NOTHING_DONE)
    this.#waiting = []
    this.#slugs.clear()
    if (this.#markets.size > this.#cachedMax) this.#markets.clear()
  }

  #giveSlug(code: MarketCode, slug: string): void {
    const holder = this.#slugs.has(slug) ? this.#slugs.get(slug) : this.#selectBySlug.get(slug)
    assert(holder === undefined || holder === code, 'a slug names one market')
    this.#slugs.set(slug, code)
  }

  #change(market: MergedMarket): MergedMarket {
    if (!market.isWaiting) this.#waiting.push(market)
    market.isWaiting = true
    return market
  }

  #find(code: MarketCode): MergedMarket {
    const known = this.#markets.get(code)
    if (known !== undefined) return known
    const row = this.#select.get(code)
    assert(row !== undefined, 'a market that changes exists')
    return this.#add(code, row)
  }

  #add(code: MarketCode, row: Pick<MergedMarket, 'slug' | 'capacity' | 'traders'>): MergedMarket {
    const market = { code, ...row, ...NOTHING_DONE }
    this.#markets.set(code, market)
    return market
  }
}

const NOTHING_DONE = {
  created: undefined,
  terms: {},
  listing: {},
  resolved: undefined,
  change: undefined,
  hasNewTraders: false,
  isWaiting: false,
}
