import { assert } from '../../core/assert.js'
import type { ConversionEffect, ConversionOutcome, ConversionRefusal } from '../../core/conversion.js'
import { buildExceedsCapacity, conversionEffect } from '../../core/conversion.js'
import type { ConversionDirection, Convert } from '../../core/group-command.js'
import type { AccountNumber, QuantityLots } from '../../core/units.js'
import { amount } from '../../core/units.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { CapacityRefusal } from '../capacity.js'
import type { CommandParts } from '../command-parts.js'
import type { Desk } from '../desk.js'
import type { DeskMarket } from '../markets/desk-market.js'
import type { MarketLife } from '../markets/market-life.js'
import type { ArrivalLane } from '../orders/arrival-lane.js'
import { KeyedMutex } from '../orders/keyed-mutex.js'
import type { History } from '../reads/history.js'
import type { ReadBusy } from '../reads/read-lane.js'
import type { Sources } from '../sources.js'
import type { DeskGroup } from './desk-group.js'

/** A user's request to convert contracts of an exclusive group. */
export interface ConversionRequest {
  readonly group: DeskGroup
  readonly userId: string
  readonly direction: ConversionDirection
  readonly lots: QuantityLots
  /** The outcomes whose NO contracts are converted; none for a complete set of YES contracts. */
  readonly markets: readonly DeskMarket[]
  readonly key?: { readonly name: string; readonly fingerprint: string }
}

/** The effect of a conversion, or why it would be refused. */
export interface ConversionPreview {
  readonly refusal: ConversionRefusal | undefined
  /** The change of the user's cash, in units of ₹0.0001. */
  readonly cash: number
  /** The contracts that it would move, unless it would be refused. */
  readonly moves: ConversionMoves | undefined
}

/** The contracts that a conversion moves, `lots` of each. */
export type ConversionMoves = Pick<ConversionEffect, 'takes' | 'gives'> & { readonly lots: QuantityLots }

/** A conversion that was made, now or before under the same name. */
export interface Converted {
  readonly number: number
  readonly cash: number
}

/** Needed to convert contracts. */
export interface ConversionParts extends CommandParts {
  readonly lane: ArrivalLane
  readonly life: MarketLife
  readonly history: History
}

type Plan = Pick<Convert, 'direction' | 'lots' | 'markets' | 'others'>

export type ConversionAnswer =
  | Converted
  | { readonly refusal: ConversionRefusal }
  | CapacityRefusal
  | ReadBusy
  | 'key_used'

/** Converts users' contracts in exclusive groups. None is converted unless its user asks for it. */
export class Conversions {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #lane: ArrivalLane
  readonly #life: MarketLife
  readonly #history: History
  readonly #sources: Sources
  /** Serialises the requests of a user under a name. */
  readonly #inTurn = new KeyedMutex()
  /** Committed conversions whose callers have no answer yet. */
  readonly #done = new Map<string, ConversionOutcome>()

  constructor(parts: ConversionParts) {
    this.#desk = parts.desk
    this.#shards = parts.shards
    this.#lane = parts.lane
    this.#life = parts.life
    this.#history = parts.history
    this.#sources = parts.sources
  }

  /** Records the conversions of a committed batch, before their callers get an answer. */
  committed(conversions: readonly ConversionOutcome[]): void {
    for (const conversion of conversions) this.#done.set(conversion.id, conversion)
  }

  /** Says what a conversion would do now. Changes nothing. */
  preview(request: ConversionRequest): ConversionPreview {
    this.#advance(request.group)
    const plan = planOf(request)
    if (typeof plan === 'string') return { refusal: plan, cash: 0, moves: undefined }
    const account = this.#desk.users.accountOf(request.userId)
    const { cash, takes, gives } = conversionEffect(plan, request.group.terms.payout)
    const refusal = this.#refusalOf(request.group, plan, account)
    return { refusal, cash, moves: refusal === undefined ? { takes, gives, lots: plan.lots } : undefined }
  }

  /** Converts contracts, once per name of a user; resolves when that is committed. */
  convert(request: ConversionRequest): Promise<ConversionAnswer> {
    const { key, userId } = request
    if (key === undefined) return this.#lane.enter(() => this.#decide(request), { userId })
    return this.#inTurn.run(JSON.stringify([userId, key.name]), () => this.#convertNamed(request, key))
  }

  async #convertNamed(
    request: ConversionRequest,
    key: NonNullable<ConversionRequest['key']>,
  ): Promise<ConversionAnswer> {
    const account = this.#desk.users.accountOf(request.userId)
    if (account !== undefined) {
      const known = await this.#history.ask('conversionNamed', account, key.name)
      if (typeof known === 'string') return known
      if (known !== undefined) {
        const { number, cash } = known
        return known.fingerprint === key.fingerprint ? { number, cash } : 'key_used'
      }
    }
    return this.#lane.enter(() => this.#decide(request), { userId: request.userId })
  }

  /** Decides a request synchronously up to its first `await`, as the arrival lane requires. */
  async #decide(request: ConversionRequest): Promise<ConversionAnswer> {
    const { group, userId, key } = request
    if (this.#desk.limitsOf(userId)?.isSuspended) return 'trading_suspended'
    this.#advance(group)
    const plan = planOf(request)
    if (typeof plan === 'string') return { refusal: plan }
    const account = this.#desk.users.accountOf(userId)
    const refusal = this.#refusalOf(group, plan, account)
    if (refusal !== undefined || account === undefined) {
      return { refusal: refusal ?? 'contracts_insufficient' }
    }
    if (this.#desk.tradeRefusal !== undefined) return this.#desk.tradeRefusal
    const { code, payout } = group.terms
    if (this.#shards.isFull(code)) return 'queue_full'

    // After this point contracts are locked and money is held, until the conversion is committed.
    const { takes, cash } = conversionEffect(plan, payout)
    for (const market of takes.markets) this.#desk.ledger.lock(market, account, takes.side, plan.lots)
    if (cash < 0) this.#desk.ledger.hold(account, amount(-cash))
    const id = this.#sources.messageId()
    const named = key === undefined ? {} : { key }
    await this.#shards.submit(code, { type: 'CONVERT', id, group: code, account, ...plan, ...named })
    const done = this.#done.get(id)
    assert(done !== undefined, 'a committed conversion has been recorded')
    this.#done.delete(id)
    return done.refusal === undefined ? done : { refusal: done.refusal }
  }

  #refusalOf(
    group: DeskGroup,
    plan: Plan,
    account: AccountNumber | undefined,
  ): ConversionRefusal | undefined {
    const { ledger } = this.#desk
    const effect = conversionEffect(plan, group.terms.payout)
    const { takes, cash } = effect
    if (plan.direction === 'build') {
      if (group.live.some(({ pendingStatus }) => pendingStatus !== 'open')) return 'group_not_open'
      const parts = group.live.map(({ terms, progress }) => ({ ...terms, ...progress }))
      const isFull = buildExceedsCapacity({ ...plan, ...effect }, group.progress.sets, parts)
      if (isFull) return 'capacity_used'
    }
    if (account === undefined)
      return takes.markets.length > 0 ? 'contracts_insufficient' : 'funds_insufficient'
    const isShort = takes.markets.some(market => ledger.free(market, account, takes.side) < plan.lots)
    if (isShort) return 'contracts_insufficient'
    return -cash > ledger.balance(account).available ? 'funds_insufficient' : undefined
  }

  #advance(group: DeskGroup): void {
    for (const market of group.live) this.#life.advance(market)
  }
}

/** Returns what a request converts among the outcomes without a result; or why it cannot. */
function planOf({ group, direction, lots, markets }: ConversionRequest): Plan | ConversionRefusal {
  const { live } = group
  if (live.length === 0) return 'group_resolved'
  if (markets.some(({ pendingOutcome }) => pendingOutcome !== undefined)) return 'outcome_resolved'
  assert(
    markets.every(market => live.includes(market)),
    'a conversion names outcomes of its group',
  )
  // In the order of the group, and each once.
  const codes = (isNamed: boolean) =>
    live.filter(market => markets.includes(market) === isNamed).map(({ terms }) => terms.code)
  return { direction, lots, markets: codes(true), others: codes(false) }
}
