import type { By } from '../../core/command.js'
import { EXTERNAL } from '../../core/ledger.js'
import type { Season, SeasonTerms } from '../../core/season.js'
import { SEASONS_MAX } from '../../core/season.js'
import type { Transfers } from '../accounts/transfers.js'
import type { CapacityRefusal } from '../capacity.js'
import type { CommandParts } from '../command-parts.js'
import type { MarketLife } from '../markets/market-life.js'
import type { BulkCancels } from '../orders/bulk-cancels.js'
import { KeyedMutex } from '../orders/keyed-mutex.js'
import { signed } from '../send-to-market.js'
import type { Turned, TurnSums } from './season-turn.js'
import { sumsOf, turnedAccounts, turnTransfer } from './season-turn.js'

/** The users whose orders a turn cancels at a time. */
const CANCELLED_MAX = 64
/** The transfers of a turn that are under way at a time. */
const TRANSFERS_MAX = 256
/** All decisions about seasons take turns: they must not overlap. */
const ALL = 'seasons'

/** Why a season cannot be created, changed or deleted; nothing has changed. */
export type SeasonRefusal =
  | { readonly refusal: 'seasons_overlap'; readonly other: Season }
  | { readonly refusal: SeasonFault }

type SeasonFault =
  | 'season_begun'
  | 'season_ends_early'
  | 'season_in_past'
  | 'seasons_full'
  | 'stakes_too_large'

type Decided = Season | SeasonRefusal | CapacityRefusal

/** A turn as it would be now. */
export interface TurnPreview extends TurnSums {
  /** Open orders of users, which it cancels. */
  readonly orders: number
}

interface SeasonsParts extends CommandParts {
  readonly transfers: Transfers
  readonly bulk: BulkCancels
  readonly life: MarketLife
}

/**
 * The seasons, and their turns. A turn cancels all orders of users, waits for what is under way, gives each
 * user the cash that the season says by a transfer, and ends. Each step follows from the state alone, and no
 * money moves meanwhile but by the turn: one that a crash interrupted goes on where it was.
 */
export class Seasons {
  readonly #parts: SeasonsParts
  readonly #inTurn = new KeyedMutex()
  #turn: Promise<void> | undefined
  #isStopped = false

  constructor(parts: SeasonsParts) {
    this.#parts = parts
  }

  /** All seasons, in the order of their start. */
  get all(): readonly Season[] {
    return this.#parts.desk.seasons.all
  }

  find(number: number): Season | undefined {
    return this.#parts.desk.seasons.find(number)
  }

  /** Creates a season that starts in the future. */
  create(terms: SeasonTerms, by?: By): Promise<Decided> {
    return this.#inTurn.run(ALL, () => {
      const { seasons } = this.#parts.desk
      if (seasons.size >= SEASONS_MAX) return Promise.resolve({ refusal: 'seasons_full' })
      return this.#keep(seasons.size + 1, terms, { isEdit: false, by })
    })
  }

  /** Changes a season that has not begun. */
  edit(number: number, changed: Partial<SeasonTerms>, by?: By): Promise<Decided | undefined> {
    return this.#inTurn.run(ALL, async () => {
      const season = this.find(number)
      if (season === undefined) return undefined
      if (this.#hasStarted(season)) return { refusal: 'season_begun' }
      const { name, startsAt, endsAt, stake } = season
      return this.#keep(number, { name, startsAt, endsAt, stake, ...changed }, { isEdit: true, by })
    })
  }

  /** Deletes a season that has not begun. */
  drop(number: number, by?: By): Promise<Decided | undefined> {
    return this.#inTurn.run(ALL, async () => {
      const { desk, shards, sources } = this.#parts
      const season = this.find(number)
      if (season === undefined) return undefined
      if (this.#hasStarted(season)) return { refusal: 'season_begun' }
      if (shards.isFull(EXTERNAL)) return 'queue_full'
      if (desk.endingRefusal !== undefined) return desk.endingRefusal
      const id = sources.messageId()
      await shards.submit(EXTERNAL, { type: 'DROP_SEASON', id, season: number, ...signed(by) })
      return season
    })
  }

  /** Says what the turn of a season would do if it came now. */
  async preview(season: Season): Promise<TurnPreview> {
    const { desk } = this.#parts
    const sums = await sumsOf(turnedAccounts(desk, season, this.#breathe))
    let orders = 0
    for (const [account] of desk.users.all()) orders += desk.ownOrders.countOf(account)
    return { ...sums, orders }
  }

  /** Begins the turn that is due, and goes on with one that waits; to be called every second. */
  advance(): void {
    if (this.#isStopped || this.#turn !== undefined) return
    const { seasons } = this.#parts.desk
    if (seasons.turning === undefined && this.#due() === undefined) return
    this.#turn = this.#goOn().finally(() => {
      this.#turn = undefined
    })
  }

  /** Begins nothing more; the next start continues. */
  stop(): void {
    this.#isStopped = true
  }

  /** Waits for what a turn has under way. */
  async drain(): Promise<void> {
    await this.#turn
  }

  async #keep(
    season: number,
    terms: SeasonTerms,
    { isEdit, by }: { readonly isEdit: boolean; readonly by: By | undefined },
  ): Promise<Decided> {
    const { desk, shards, sources } = this.#parts
    if (terms.startsAt <= sources.now()) return { refusal: 'season_in_past' }
    if (terms.endsAt <= terms.startsAt) return { refusal: 'season_ends_early' }
    const others = desk.seasons.all.filter(({ number }) => number !== season)
    const other = others.find(({ startsAt, endsAt }) => startsAt < terms.endsAt && terms.startsAt < endsAt)
    if (other !== undefined) return { refusal: 'seasons_overlap', other }
    if (!this.#isAffordable(terms)) return { refusal: 'stakes_too_large' }
    if (desk.growthRefusal !== undefined) return desk.growthRefusal
    if (shards.isFull(EXTERNAL)) return 'queue_full'
    const id = sources.messageId()
    await shards.submit(EXTERNAL, { type: 'KEEP_SEASON', id, season, isEdit, ...terms, ...signed(by) })
    return this.find(season) ?? { refusal: 'season_begun' }
  }

  /** Tells whether all users can have the stake at once, and as many again. */
  #isAffordable({ stake }: SeasonTerms): boolean {
    const { ledger, users } = this.#parts.desk
    return ledger.canHold(2 * stake * Math.max(1, users.count))
  }

  /** One that all users together cannot afford waits, and can be changed. */
  #hasStarted(season: Season): boolean {
    const { startsAt, begunAt } = season
    return begunAt !== undefined || (startsAt <= this.#parts.sources.now() && this.#isAffordable(season))
  }

  /** Returns the season whose turn is to begin; one that ended while the exchange was stopped has none. */
  #due(): Season | undefined {
    const now = this.#parts.sources.now()
    return this.all.find(
      season =>
        season.begunAt === undefined &&
        season.startsAt <= now &&
        now < season.endsAt &&
        this.#isAffordable(season),
    )
  }

  async #goOn(): Promise<void> {
    const { desk, shards, sources } = this.#parts
    if (desk.seasons.turning === undefined) await this.#inTurn.run(ALL, () => this.#begin())
    const season = desk.seasons.turning
    if (season === undefined || !(await this.#cancelAll())) return
    await shards.drain()
    if (!this.#isQuiet()) return
    if (!(await this.#pay(season))) return
    await shards.submit(EXTERNAL, { type: 'END_TURN', id: sources.messageId(), season: season.number })
  }

  async #begin(): Promise<void> {
    const { desk, shards, sources } = this.#parts
    const season = this.#due()
    if (season === undefined || desk.growthRefusal !== undefined || shards.isFull(EXTERNAL)) return
    desk.seasons.beginning()
    await shards.submit(EXTERNAL, { type: 'BEGIN_SEASON', id: sources.messageId(), season: season.number })
  }

  /** Cancels the orders of all users, of some at a time; false if some found no room. */
  async #cancelAll(): Promise<boolean> {
    const { bulk, desk } = this.#parts
    const accounts = desk.ownOrders.accounts().filter(account => desk.users.idOf(account) !== undefined)
    for (let next = 0; next < accounts.length; next += CANCELLED_MAX) {
      if (this.#isStopped) return false
      const some = accounts.slice(next, next + CANCELLED_MAX)
      const cancelled = await Promise.all(
        some.map(account => bulk.cancelAllOf(account, () => true, 'season_turn')),
      )
      if (cancelled.some(all => typeof all === 'string' || all.openCount > 0)) return false
    }
    return true
  }

  /** Tells whether nothing is under way that moves money. */
  #isQuiet(): boolean {
    const { desk, life } = this.#parts
    if (life.isPaying) return false
    for (const [account] of desk.users.all()) {
      const { cash, held, available } = desk.ledger.balance(account)
      if (held > 0 || available !== cash || desk.ownOrders.countOf(account) > 0) return false
    }
    return true
  }

  /** Makes the transfers of a turn, of which some may be made; false if some found no room. */
  async #pay(season: Season): Promise<boolean> {
    const changed: Turned[] = []
    for await (const turned of turnedAccounts(this.#parts.desk, season, this.#breathe)) {
      if (turned.change !== 0) changed.push(turned)
    }
    // Withdrawals first: the money of all users never is more than before and after.
    changed.sort((a, b) => Math.sign(a.change) - Math.sign(b.change))
    for (let next = 0; next < changed.length; next += TRANSFERS_MAX) {
      if (this.#isStopped) return false
      const part = changed.slice(next, next + TRANSFERS_MAX)
      const made = await Promise.all(part.map(turned => this.#payOne(season, turned)))
      if (!made.every(isMade => isMade)) return false
    }
    return !this.#isStopped
  }

  async #payOne(season: Season, turned: Turned): Promise<boolean> {
    const { transfers } = this.#parts
    const request = turnTransfer(season, turned)
    let made = await transfers.transfer(request)
    // An operator has used that id for something else: the turn takes another.
    for (let other = 2; isOther(made, season); other++) {
      made = await transfers.transfer({ ...request, txnId: `${request.txnId}:${other}` })
    }
    return typeof made === 'object' && !('refusal' in made)
  }

  readonly #breathe = (): Promise<void> => new Promise(resolve => this.#parts.sources.rest(resolve))
}

/** Tells whether the id of a transfer of a turn belongs to another one, which may look the same. */
function isOther(made: Awaited<ReturnType<Transfers['transfer']>>, { begunAt }: Season): boolean {
  if (typeof made === 'string') return false
  return 'refusal' in made ? made.refusal === 'txn_id_used' : begunAt !== undefined && made.at < begunAt
}
