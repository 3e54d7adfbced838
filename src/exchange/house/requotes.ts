import type { CreateOrder, RequoteHouse } from '../../core/command.js'
import { HOUSE_USER_ID, RESTS_MAX } from '../../core/house/house-command.js'
import type { HouseMeans, PaidRest } from '../../core/house/quote-table.js'
import { affordableRests, desiredRests } from '../../core/house/quote-table.js'
import type { Ledger } from '../../core/ledger.js'
import { MAKERS_MAX, oppositeSide, unitCost } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import { newOrderRecord, unfilledOf } from '../../core/order-record.js'
import { amount, lots, times, toContracts, toRupees } from '../../core/units.js'
import type { Desk } from '../desk.js'
import type { DeskMarket } from '../markets/desk-market.js'
import type { Sources } from '../sources.js'
import type { Funding } from './desk-house.js'

type Requote = Omit<RequoteHouse, 'id' | 'market'>

/** Compares what should rest of the house with what does. */
export class Requotes {
  readonly #desk: Desk
  readonly #sources: Sources

  constructor(desk: Desk, sources: Sources) {
    this.#desk = desk
    this.#sources = sources
  }

  /** Returns the command that brings what rests to what should; undefined if nothing is to be done. */
  of(market: DeskMarket, funding: Funding): Requote | undefined {
    const { table, account } = funding
    if (table === undefined || market.pendingStatus !== 'open' || market.progress.status !== 'open')
      return undefined
    const means = meansOf(this.#desk.ledger, funding)
    const { cash, yes, no } = means
    const state = [cash, yes, no].join(' ')
    if (funding.quoted === state) return undefined
    funding.quoted = state
    const { payout } = market.terms
    const desired = desiredRests(table, no - yes, RESTS_MAX)
    const wanted = affordableRests(desired, means, payout)
    const resting = this.#desk.ownOrders.of(account)
    const kept = new Set(resting.filter(order => wanted.some(rest => isSame(order, rest))))
    const placed = wanted.filter(rest => !resting.some(order => isSame(order, rest)))
    if (kept.size === resting.length && placed.length === 0) return undefined
    const cut = resting.filter(order => !kept.has(order))
    const paid = this.#paid(market, funding, cut, placed)
    // If others have the contracts or the money that the nearest need, all are placed again.
    return paid === undefined
      ? this.#prepare(market, funding, resting, wanted)
      : this.#prepare(market, funding, cut, paid)
  }

  /** Pays for orders with what is free and what cuts release; undefined if that is not enough. */
  #paid(
    market: DeskMarket,
    { account }: Funding,
    cut: readonly OrderRecord[],
    placed: readonly PaidRest[],
  ): PaidRest[] | undefined {
    const { ledger } = this.#desk
    const { code, payout } = market.terms
    const released = releasedBy(cut, market)
    const left = {
      cash: ledger.balance(account).available + released.cash,
      yes: ledger.free(code, account, 'yes') + released.yes,
      no: ledger.free(code, account, 'no') + released.no,
    }
    const paid = placed.map(rest => {
      const sells = oppositeSide(rest.side)
      const covered = lots(Math.min(left[sells], rest.lots))
      const hold = times(unitCost(rest.side, rest.price, payout), lots(rest.lots - covered))
      left[sells] -= covered
      left.cash -= hold
      return { ...rest, covered, hold }
    })
    return left.cash < 0 ? undefined : paid
  }

  /** Holds and locks what orders need beyond what cuts release. */
  #prepare(
    market: DeskMarket,
    funding: Funding,
    cut: readonly OrderRecord[],
    placed: readonly PaidRest[],
  ): Requote {
    const { ledger } = this.#desk
    const { account } = funding
    const { code } = market.terms
    const released = releasedBy(cut, market)
    const needed = { cash: 0, yes: 0, no: 0 }
    for (const { side, covered, hold } of placed) {
      needed.cash += hold
      needed[oppositeSide(side)] += covered
    }
    const extra = {
      extraHold: amount(Math.max(0, needed.cash - released.cash)),
      extraYes: lots(Math.max(0, needed.yes - released.yes)),
      extraNo: lots(Math.max(0, needed.no - released.no)),
    }

    // After this point the holds and locks stand until the command has been applied.
    ledger.hold(account, extra.extraHold)
    ledger.lock(code, account, 'yes', extra.extraYes)
    ledger.lock(code, account, 'no', extra.extraNo)
    const orders = placed.map(rest => this.#arrive(market, funding, rest))
    const cuts = cut.map(({ number }) => [number] as const)
    const { trades } = market.progress
    return { type: 'REQUOTE_HOUSE', account, cuts, ...extra, trades, orders }
  }

  #arrive(market: DeskMarket, { account }: Funding, rest: PaidRest): CreateOrder {
    const { side, price, lots: quantity, covered, hold } = rest
    const { code } = market.terms
    const asked = { price: toRupees(price), quantity: toContracts(quantity) }
    const command: CreateOrder = {
      type: 'CREATE_ORDER',
      id: this.#sources.messageId(),
      data: { market: String(code), ...asked, side, userId: HOUSE_USER_ID },
      market: code,
      number: market.takeNumber(),
      suffix: this.#sources.orderSuffix(),
      account,
      orderType: 'LO',
      selfTrade: 'off',
      outcome: side,
      asked: undefined,
      admission: { price, quantity, covered, hold, makersMax: MAKERS_MAX },
    }
    this.#desk.arriveQuote(market, newOrderRecord(command, this.#sources.now()), false)
    return command
  }
}

/** Returns what the house has for its quotes, whatever of it they hold; pairs being merged are not. */
function meansOf(ledger: Ledger, { market, account }: Funding): HouseMeans {
  const { available, held } = ledger.balance(account)
  const { yesLocked, noLocked } = ledger.contracts(market, account)
  return {
    cash: available + held,
    yes: ledger.free(market, account, 'yes') + yesLocked,
    no: ledger.free(market, account, 'no') + noLocked,
  }
}

function isSame(order: OrderRecord, { side, price, lots: size }: PaidRest): boolean {
  return order.side === side && order.price === price && unfilledOf(order) === size
}

/** Returns what orders of the house release when they end. They pay no fees. */
function releasedBy(orders: readonly OrderRecord[], { terms }: DeskMarket): HouseMeans {
  const released = { cash: 0, yes: 0, no: 0 }
  for (const order of orders) {
    const { side, price, covered } = order
    released.cash += times(unitCost(side, price, terms.payout), lots(unfilledOf(order) - covered))
    released[oppositeSide(side)] += covered
  }
  return released
}
