import type { By } from '../../core/command.js'
import type { MarketTerms, NewMarket } from '../../core/market.js'
import type { EditedListing, EditedTerms, EditRefusal, MarketEdit } from '../../core/market-edit.js'
import { editRefusal } from '../../core/market-edit.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { CapacityRefusal } from '../capacity.js'
import type { Desk } from '../desk.js'
import { KeyedMutex } from '../orders/keyed-mutex.js'
import { sendToMarket, signed } from '../send-to-market.js'
import type { Sources } from '../sources.js'
import type { DeskMarket } from './desk-market.js'
import type { MarketLife } from './market-life.js'

/** A market to create, and on whose behalf. */
export interface MarketRequest extends NewMarket {
  readonly by?: By
}

/** What is to change in a market, in full or in part as it is already. */
export interface EditRequest extends MarketEdit {
  readonly by?: By
}

/** Markets that come to be, and those that get other words or terms. No two of them ever have one slug. */
export class MarketEntry {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #life: MarketLife
  readonly #sources: Sources
  /** Slugs that are on their way to a market. */
  readonly #slugsAhead = new Map<string, Promise<void>>()
  /** Edits of one market come one after the other: each is judged by what the one before has left. */
  readonly #inTurn = new KeyedMutex()

  readonly #eventsMax: number

  /** @param eventsMax how many markets may be neither settled nor voided */
  constructor(desk: Desk, shards: ShardPool, life: MarketLife, sources: Sources, eventsMax: number) {
    this.#desk = desk
    this.#shards = shards
    this.#life = life
    this.#sources = sources
    this.#eventsMax = eventsMax
  }

  /** Creates a market. Of two titles with one slug the second is refused, once the first is on disk. */
  async create({
    terms: asked,
    listing: words,
    by,
  }: MarketRequest): Promise<DeskMarket | 'slug_used' | CapacityRefusal> {
    const { slug } = words
    // No step apart from what follows: who comes next must find the slug ahead.
    for (let ahead = this.#ahead(slug); ahead !== undefined; ahead = this.#ahead(slug)) await ahead
    if (this.#desk.markets.hasSlug(slug)) return 'slug_used'
    if (this.#desk.growthRefusal !== undefined) return this.#desk.growthRefusal
    if (this.#desk.markets.unsettledCount >= this.#eventsMax) return 'events_full'
    const code = this.#desk.markets.takeCode()
    if (code === undefined) return 'codes_used_up'
    if (this.#shards.isFull(code)) {
      this.#desk.markets.dropCode(code)
      return 'queue_full'
    }

    const terms: MarketTerms = { ...asked, code, escrow: this.#desk.users.takeNumber() }
    const createdAt = this.#sources.now()
    const listing = { ...words, id: this.#sources.eventId(), createdAt }
    const status = createdAt >= terms.endAt ? 'closed' : createdAt >= terms.startAt ? 'open' : 'scheduled'
    const id = this.#sources.messageId()
    const command = { type: 'CREATE_MARKET', id, terms, listing, status, ...signed(by) } as const
    await this.#withSlug(slug, this.#shards.submit(code, command))
    return this.#desk.market(code)
  }

  /**
   * Edits a market. Answers when it is on disk, and when the market has gone where its new dates send it; or
   * why nothing of it was done. What is as it should be already is not written again.
   */
  edit(
    market: DeskMarket,
    request: EditRequest,
  ): Promise<EditRefusal | 'slug_used' | CapacityRefusal | undefined> {
    return this.#inTurn.run(String(market.terms.code), () => this.#edit(market, request))
  }

  async #edit(
    market: DeskMarket,
    request: EditRequest,
  ): Promise<EditRefusal | 'slug_used' | CapacityRefusal | undefined> {
    const { slug } = request.listing
    if (slug !== undefined && slug !== market.listing.slug) {
      for (let ahead = this.#ahead(slug); ahead !== undefined; ahead = this.#ahead(slug)) await ahead
      if (this.#desk.markets.hasSlug(slug)) return 'slug_used'
    }
    this.#life.advance(market)
    const terms = changed(request.terms, market.terms)
    const listing = changed(request.listing, market.listing)
    if (Object.keys({ ...terms, ...listing }).length === 0) return undefined
    const { code } = market.terms
    const { openPairs } = market.progress
    const standing = { terms: market.terms, status: market.pendingStatus, openPairs }
    const refusal = editRefusal(standing, { terms, listing })
    if (refusal !== undefined) return refusal
    if (this.#desk.growthRefusal !== undefined) return this.#desk.growthRefusal
    if (this.#shards.isFull(code)) return 'queue_full'

    const { startAt, endAt } = { ...market.terms, ...terms }
    market.datesAhead = { startAt, endAt }
    const edit = { type: 'EDIT_MARKET', terms, listing, ...signed(request.by) } as const
    await this.#withSlug(listing.slug, sendToMarket(this.#shards, this.#sources, code, edit))
    if (market.editRefusal !== undefined) return market.editRefusal
    this.#life.advance(market)
    await market.moved
    return undefined
  }

  /** Who asks while the slug is on its way to another market waits: that one may be refused. */
  #ahead(slug: string): Promise<void> | undefined {
    return this.#slugsAhead.get(slug)
  }

  async #withSlug(slug: string | undefined, done: Promise<void>): Promise<void> {
    if (slug !== undefined) this.#slugsAhead.set(slug, done)
    await done
    if (slug !== undefined) this.#slugsAhead.delete(slug)
  }
}

/** What of a request is not as it is already. */
function changed<Fields extends EditedTerms | EditedListing>(asked: Fields, is: Readonly<Fields>): Fields {
  const entries = Object.entries(asked).filter(([field, value]) => is[field as keyof Fields] !== value)
  return Object.fromEntries(entries) as Fields
}
