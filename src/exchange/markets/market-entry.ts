import { LIMITS } from '../../api/limits.js'
import type { By } from '../../core/command.js'
import type { EditedGroup, NewGroup } from '../../core/group.js'
import type { CreatedMarket } from '../../core/group-command.js'
import type { MarketStatus, MarketTerms, NewMarket } from '../../core/market.js'
import type { EditedListing, EditedTerms, EditRefusal, MarketEdit } from '../../core/market-edit.js'
import { editRefusal } from '../../core/market-edit.js'
import { contractsOf } from '../../core/pool.js'
import type { MarketCode, TimeMs } from '../../core/units.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { CapacityRefusal } from '../capacity.js'
import type { CommandParts } from '../command-parts.js'
import type { Desk } from '../desk.js'
import type { DeskGroup } from '../groups/desk-group.js'
import type { HouseFunding } from '../house/house-funding.js'
import { KeyedMutex } from '../orders/keyed-mutex.js'
import { sendToMarket, signed } from '../send-to-market.js'
import type { Sources } from '../sources.js'
import type { DeskMarket } from './desk-market.js'
import type { MarketLife } from './market-life.js'

/** A market to create, and the operator who creates it. */
export interface MarketRequest extends NewMarket {
  readonly by?: By
  /** The id of a market that is created once only. */
  readonly id?: string
}

/** An edit request; fields may already have the requested value. */
export interface EditRequest extends MarketEdit {
  readonly by?: By
}

/** Why a listing is refused: another market has its slug, or a category more would be too many. */
export type ListingRefusal = 'slug_used' | 'categories_full'

/** Why a market is not created; `id_used` if it is there already. */
export type CreationRefusal = ListingRefusal | CapacityRefusal | 'id_used'

/** A group to create, and the operator who creates it. */
export interface GroupRequest extends NewGroup {
  readonly by?: By
}

/** The new group, or the reason for refusing it; `index` says which outcome's slug is used. */
export type GroupCreation =
  | DeskGroup
  | { readonly refusal: 'slug_used'; readonly index: number }
  | 'categories_full'
  | CapacityRefusal

interface EntryParts extends CommandParts {
  readonly life: MarketLife
  /** The most markets that may be neither settled nor voided. */
  readonly eventsMax: () => number
  readonly funding: HouseFunding
}

/** Creates and edits markets. No two markets ever share a slug. */
export class MarketEntry {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #life: MarketLife
  readonly #sources: Sources
  /** Slugs claimed by commands not committed yet. */
  readonly #slugsAhead = new Map<string, Promise<void>>()
  /** Given ids of markets not committed yet. */
  readonly #idsAhead = new Map<string, Promise<void>>()
  /** Serialises the edits of a market: each is checked against the result of the one before. */
  readonly #inTurn = new KeyedMutex()

  readonly #eventsMax: () => number
  readonly #funding: HouseFunding

  constructor({ desk, shards, life, sources, eventsMax, funding }: EntryParts) {
    this.#desk = desk
    this.#shards = shards
    this.#life = life
    this.#sources = sources
    this.#eventsMax = eventsMax
    this.#funding = funding
  }

  /**
   * Creates a market. Refuses a title whose slug is taken, once the other market is committed, and a given id
   * that a market has.
   */
  async create({
    terms: asked,
    listing: words,
    by,
    id: once,
  }: MarketRequest): Promise<DeskMarket | CreationRefusal> {
    const { slug } = words
    // No `await` from the last look to the claim: the next request must see slug and id as claimed.
    const claimed = () => this.#ahead(slug) ?? (once === undefined ? undefined : this.#idsAhead.get(once))
    for (let ahead = claimed(); ahead !== undefined; ahead = claimed()) await ahead
    if (once !== undefined && this.#desk.markets.hasId(once)) return 'id_used'
    if (this.#desk.markets.hasSlug(slug)) return 'slug_used'
    const spelled = this.#spelled(words)
    if (spelled === 'categories_full') return spelled
    if (this.#desk.growthRefusal !== undefined) return this.#desk.growthRefusal
    if (this.#desk.markets.unsettledCount >= this.#eventsMax()) return 'events_full'
    const code = this.#desk.markets.takeCode()
    if (code === undefined) return 'codes_used_up'
    if (this.#shards.isFull(code)) {
      this.#desk.markets.dropCode(code)
      return 'queue_full'
    }

    const terms: MarketTerms = { ...asked, code, escrow: this.#desk.users.takeNumber() }
    const createdAt = this.#sources.now()
    const listing = { ...words, ...spelled, id: once ?? this.#sources.eventId(), createdAt }
    const status = statusAt(createdAt, terms)
    const id = this.#sources.messageId()
    const command = { type: 'CREATE_MARKET', id, terms, listing, status, ...signed(by) } as const
    const done = this.#shards.submit(code, command)
    if (once !== undefined) this.#idsAhead.set(once, done)
    await this.#withSlug(slug, done)
    if (once !== undefined) this.#idsAhead.delete(once)
    const market = this.#desk.market(code)
    await this.#funding.fundNew([market])
    return market
  }

  /**
   * Creates a group with all its markets, in one command. Refuses a slug that is taken, once the other market
   * is committed.
   */
  async createGroup({ kind, listing: words, markets: asked, by }: GroupRequest): Promise<GroupCreation> {
    const slugs = asked.map(({ listing }) => listing.slug)
    const claimed = () => slugs.map(slug => this.#ahead(slug)).find(ahead => ahead !== undefined)
    for (let ahead = claimed(); ahead !== undefined; ahead = claimed()) await ahead
    const isUsed = (slug: string, index: number) =>
      this.#desk.markets.hasSlug(slug) || slugs.indexOf(slug) < index
    const used = slugs.findIndex(isUsed)
    if (used >= 0) return { refusal: 'slug_used', index: used }
    const spelled = this.#spelled(asked[0]?.listing ?? {})
    if (spelled === 'categories_full') return spelled
    if (this.#desk.growthRefusal !== undefined) return this.#desk.growthRefusal
    if (this.#desk.markets.unsettledCount + asked.length > this.#eventsMax()) return 'events_full'
    const codes = this.#desk.markets.takeCodes(asked.length + 1)
    const [code] = codes
    if (code === undefined) return 'codes_used_up'
    if (this.#shards.isFull(code)) {
      for (const taken of codes) this.#desk.markets.dropCode(taken)
      return 'queue_full'
    }

    const isExclusive = kind === 'exclusive'
    const createdAt = this.#sources.now()
    const takeNumber = () => this.#desk.users.takeNumber()
    const shared = isExclusive ? takeNumber() : undefined
    const markets = asked.map(({ terms, listing }, index): CreatedMarket => {
      const own = { code: codes[index + 1] as MarketCode, group: code, escrow: shared ?? takeNumber() }
      return {
        terms: { ...terms, ...own, ...(isExclusive && { pool: code }) },
        listing: { ...listing, ...spelled, id: this.#sources.eventId(), createdAt },
        status: statusAt(createdAt, terms),
      }
    })
    const payout = (markets[0] as CreatedMarket).terms.payout
    const terms = { code, kind, payout, ...(shared !== undefined && { escrow: shared }) }
    const listing = { ...words, id: this.#sources.eventId(), createdAt }
    const id = this.#sources.messageId()
    const done = this.#shards.submit(code, {
      ...{ type: 'CREATE_GROUP', id, terms, listing, markets },
      ...signed(by),
    })
    await Promise.all(slugs.map(slug => this.#withSlug(slug, done)))
    const group = this.#desk.groups.get(code)
    await this.#funding.fundNew(group.markets)
    return group
  }

  /** Edits the words of a group; those of its outcomes are edited with each. */
  async editGroup(group: DeskGroup, listing: EditedGroup, by?: By): Promise<CapacityRefusal | undefined> {
    const { title = group.listing.title, description = group.listing.description } = listing
    if (title === group.listing.title && description === group.listing.description) return undefined
    if (this.#desk.growthRefusal !== undefined) return this.#desk.growthRefusal
    const { code } = group.terms
    if (this.#shards.isFull(code)) return 'queue_full'
    const id = this.#sources.messageId()
    await this.#shards.submit(code, { type: 'EDIT_GROUP', id, group: code, listing, ...signed(by) })
    return undefined
  }

  /**
   * Edits a market. Resolves when the edit and any status change due to the new dates are committed, or with
   * the reason why nothing changed. Skips fields that already have the requested value.
   */
  edit(
    market: DeskMarket,
    request: EditRequest,
  ): Promise<EditRefusal | ListingRefusal | CapacityRefusal | undefined> {
    return this.#inTurn.run(String(market.terms.code), () => this.#edit(market, request))
  }

  async #edit(
    market: DeskMarket,
    request: EditRequest,
  ): Promise<EditRefusal | ListingRefusal | CapacityRefusal | undefined> {
    const { slug } = request.listing
    if (slug !== undefined && slug !== market.listing.slug) {
      for (let ahead = this.#ahead(slug); ahead !== undefined; ahead = this.#ahead(slug)) await ahead
      if (this.#desk.markets.hasSlug(slug)) return 'slug_used'
    }
    const spelled = this.#spelled(request.listing)
    if (spelled === 'categories_full') return spelled
    this.#life.advance(market)
    const terms = changed(request.terms, market.terms)
    const listing = changed({ ...request.listing, ...spelled }, market.listing)
    if (Object.keys({ ...terms, ...listing }).length === 0) return undefined
    const { code } = market.terms
    const refusal = this.refusalOf(market, { terms, listing })
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

  /** Returns why an edit would be refused now. */
  refusalOf(market: DeskMarket, edit: MarketEdit): EditRefusal | undefined {
    const { openPairs } = market.progress
    const sets = this.#desk.groups.of(market)?.progress.sets
    const pairs = { count: openPairs, contracts: contractsOf(openPairs, sets) }
    return editRefusal({ terms: market.terms, progress: { status: market.pendingStatus }, pairs }, edit)
  }

  /** Returns the category in the spelling that other markets use; refuses a new one beyond the bound. */
  #spelled({ category }: EditedListing): EditedListing | 'categories_full' {
    if (category === undefined || category === '') return {}
    const { categories } = this.#desk.markets
    const spelling = categories.spellingOf(category)
    if (spelling === undefined && categories.size >= LIMITS.categoriesMax) return 'categories_full'
    return { category: spelling ?? category }
  }

  /** Waits while another market is claiming the slug: that claim may still fail. */
  #ahead(slug: string): Promise<void> | undefined {
    return this.#slugsAhead.get(slug)
  }

  async #withSlug(slug: string | undefined, done: Promise<void>): Promise<void> {
    if (slug !== undefined) this.#slugsAhead.set(slug, done)
    await done
    if (slug !== undefined) this.#slugsAhead.delete(slug)
  }
}

/** Returns the status of a market that is created at a time. */
function statusAt(now: TimeMs, { startAt, endAt }: Pick<MarketTerms, 'startAt' | 'endAt'>): MarketStatus {
  if (now >= endAt) return 'closed'
  return now >= startAt ? 'open' : 'scheduled'
}

/** Returns the fields of a request that differ from the market; an absent one equals an empty one. */
function changed<Fields extends EditedTerms | EditedListing>(asked: Fields, is: Readonly<Fields>): Fields {
  const entries = Object.entries(asked).filter(
    ([field, value]) => (is[field as keyof Fields] ?? '') !== (value ?? ''),
  )
  return Object.fromEntries(entries) as Fields
}
