import type { By } from '../../core/command.js'
import type { ConversionOutcome } from '../../core/conversion.js'
import type { EditedGroup } from '../../core/group.js'
import type { EditRefusal, MarketEdit } from '../../core/market-edit.js'
import type { ShownHolding, ShownMoney } from '../../api/groups/shown-group.js'
import type { MarketCode } from '../../core/units.js'
import type { CapacityRefusal } from '../capacity.js'
import type { Desk } from '../desk.js'
import type { DeskMarket } from '../markets/desk-market.js'
import type { GroupCreation, GroupRequest, MarketEntry } from '../markets/market-entry.js'
import type { MarketLife, MarketMove, MoveRefusal } from '../markets/market-life.js'
import { signed } from '../send-to-market.js'
import type { ArrivalLane } from '../orders/arrival-lane.js'
import type { ConversionAnswer, ConversionParts } from './conversions.js'
import type { ConversionPreview, ConversionRequest } from './conversions.js'
import { Conversions } from './conversions.js'
import type { DeskGroup, GroupResult } from './desk-group.js'
import { holdingOf } from './holding.js'
import type { Outcomes, ResultNotes, ResultRefusal } from './group-results.js'

/** Everything that concerns groups of markets. */
export class Groups {
  readonly #desk: Desk
  readonly #lane: ArrivalLane
  readonly #entry: MarketEntry
  readonly #life: MarketLife
  readonly #conversions: Conversions

  constructor(parts: ConversionParts & { readonly entry: MarketEntry }) {
    this.#desk = parts.desk
    this.#lane = parts.lane
    this.#entry = parts.entry
    this.#life = parts.life
    this.#conversions = new Conversions(parts)
  }

  /** Records the conversions of a committed batch, before their callers get an answer. */
  committed(conversions: readonly ConversionOutcome[]): void {
    this.#conversions.committed(conversions)
  }

  /** All groups, in the order of their codes. */
  all(): DeskGroup[] {
    return this.#desk.groups.all()
  }

  /** The groups after a code, in the order of their codes. */
  after(code: number): Iterable<DeskGroup> {
    return this.#desk.groups.behind(code)
  }

  get(code: MarketCode): DeskGroup | undefined {
    return this.#desk.groups.find(code)
  }

  /** Finds a group by its code as a client wrote it: exactly seven digits. */
  written(code: string): DeskGroup | undefined {
    return /^[1-9]\d{6}$/.test(code) ? this.get(Number(code) as MarketCode) : undefined
  }

  create(request: GroupRequest): Promise<GroupCreation> {
    return this.#entry.createGroup(request)
  }

  edit(group: DeskGroup, listing: EditedGroup, by?: By): Promise<CapacityRefusal | undefined> {
    return this.#entry.editGroup(group, listing, by)
  }

  /**
   * Edits the terms of all outcomes that can still be edited so; the refusal of the first one if none can.
   * If one of them would have dates or bets that cross, or a quantity below its contracts, none is edited.
   */
  async editOutcomes(
    { markets, live }: DeskGroup,
    { terms, listing }: MarketEdit,
    by?: By,
  ): Promise<Awaited<ReturnType<MarketEntry['edit']>>> {
    for (const market of live) this.#life.advance(market)
    const asked = live.length > 0 ? live : markets
    const refusals = asked.map(market => this.#entry.refusalOf(market, { terms, listing }))
    const isLate = (refusal: EditRefusal | undefined) => refusal?.reason === 'edit_too_late'
    const found = refusals.every(isLate) ? refusals[0] : refusals.find(refusal => refusal && !isLate(refusal))
    if (found !== undefined) return found
    const edit = { terms, listing, ...signed(by) }
    const edited = asked.filter((_, index) => refusals[index] === undefined)
    const late = await Promise.all(edited.map(market => this.#entry.edit(market, edit)))
    // If the queue was full for some, repeating the request edits the rest.
    return late.find(refusal => typeof refusal === 'string') ?? late.find(refusal => refusal !== undefined)
  }

  /** Halts, resumes or closes all outcomes that can be; the refusal of the first one if none can. */
  move(group: DeskGroup, move: MarketMove, by?: By): Promise<MoveRefusal | undefined> {
    return this.#lane.enterAlways(async () => {
      const refusals = await Promise.all(group.live.map(market => this.#life.move(market, move, by)))
      const [first] = group.markets
      if (refusals.length === 0 && first !== undefined) {
        return { status: first.pendingStatus, outcome: first.pendingOutcome }
      }
      return refusals.every(refusal => refusal !== undefined) ? refusals[0] : undefined
    })
  }

  /** Sets the result of an exclusive group, once; payouts follow in parts. */
  resolve(group: DeskGroup, result: GroupResult, notes: ResultNotes): Promise<ResultRefusal | undefined> {
    return this.#lane.enterAlways(() => this.#life.resolveGroup(group, result, notes))
  }

  /** Sets results of markets of an independent group, each once. */
  resolveSome(group: DeskGroup, asked: Outcomes, notes: ResultNotes): Promise<ResultRefusal | undefined> {
    return this.#lane.enterAlways(() => this.#life.resolveIndependent(group, asked, notes))
  }

  convert(request: ConversionRequest): Promise<ConversionAnswer> {
    return this.#conversions.convert(request)
  }

  /** Says what a conversion would do now, and what its user would hold after it. Changes nothing. */
  previewConversion(
    request: ConversionRequest,
  ): ConversionPreview & { readonly holding: ShownHolding | undefined } {
    const preview = this.#conversions.preview(request)
    return { ...preview, holding: this.holding(request.group, request.userId, preview) }
  }

  /** Returns the group that a market is an outcome of. */
  of(market: DeskMarket): DeskGroup | undefined {
    return this.#desk.groups.of(market)
  }

  /**
   * Returns what a user holds in an exclusive group; undefined for an unknown user.
   *
   * @param preview of a conversion that is counted as made
   */
  holding(group: DeskGroup, userId: string, preview?: ConversionPreview): ShownHolding | undefined {
    const account = this.#desk.users.accountOf(userId)
    return account === undefined ? undefined : holdingOf(this.#desk.ledger, group, account, preview)
  }

  /** Returns what a group holds and will pay. */
  money({ terms, markets, pool, progress }: DeskGroup): ShownMoney {
    const { ledger } = this.#desk
    const escrows = pool === undefined ? markets.map(market => market.terms.escrow) : [pool.escrow]
    const pairs = markets.reduce((sum, market) => sum + market.progress.openPairs, progress.sets)
    return {
      escrow: escrows.reduce(
        (sum, escrow) => sum + (ledger.isOpen(escrow) ? ledger.balance(escrow).cash : 0),
        0,
      ),
      payout: terms.payout * pairs,
      fees: new Map(markets.map(market => [market, market.progress.fees])),
    }
  }
}
