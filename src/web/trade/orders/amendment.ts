import type { Order } from '../../../client/shapes.js'
import { oppositeSide } from '../../../core/order.js'
import { LOTS_PER_CONTRACT, TICKS_PER_RUPEE } from '../../../core/units.js'
import { countText } from '../../kit/number-texts.js'
import { t } from '../../texts/ticket.js'
import type { DraftFault } from '../ticket/draft-faults.js'
import { faultOf, LOTS_MIN } from '../ticket/draft-faults.js'
import type { BuyingPower, TicketDraft, TicketTerms } from '../ticket/ticket-draft.js'

/** A new price and a new total quantity, in ticks and lots; undefined while they are not valid. */
export type AmendedNumbers = Pick<TicketDraft, 'priceTicks' | 'typedTicks' | 'lots'>

/** The outcome of checking a change to an open order. */
export interface AmendmentPlan {
  readonly fault: DraftFault | undefined
  /** The fields to send; empty if nothing changes. */
  readonly change: { readonly price?: number; readonly quantity?: number }
  /** True if the order keeps its place in the queue at its price: only a smaller quantity does. */
  readonly keepsPlace: boolean
  /** The money that its open part holds afterwards, in units of ₹0.0001. */
  readonly heldUnits: number
}

/** The user’s means, and the contracts that open orders lock, in lots. */
export interface AmendingPower extends BuyingPower {
  readonly yesLocked: number
  readonly noLocked: number
  /** Those among them that are certainly the order’s own. */
  readonly ownLocked: number
}

/**
 * Returns how many of the contracts that open orders lock are certainly an order’s own: those that the other
 * orders of its side cannot have.
 */
export function ownLockedLots(
  order: Order,
  orders: readonly Order[],
  { yesLocked, noLocked }: Pick<AmendingPower, 'yesLocked' | 'noLocked'>,
): number {
  let left = oppositeSide(order.side) === 'yes' ? yesLocked : noLocked
  for (const { id, event_id, side, remaining_quantity } of orders) {
    if (id === order.id || event_id !== order.event_id || side !== order.side) continue
    left -= Math.round(remaining_quantity * LOTS_PER_CONTRACT)
  }
  return Math.min(Math.max(0, left), Math.round(order.remaining_quantity * LOTS_PER_CONTRACT))
}

/** Checks a change as the exchange does: what the order holds now counts for the amended one. */
export function planAmendment(
  order: Order,
  numbers: AmendedNumbers,
  terms: TicketTerms,
  power: AmendingPower,
): AmendmentPlan {
  const before = {
    ticks: Math.round(order.price * TICKS_PER_RUPEE),
    lots: Math.round(order.quantity * LOTS_PER_CONTRACT),
    filled: Math.round(order.filled_quantity * LOTS_PER_CONTRACT),
  }
  const { priceTicks = 0, lots = 0 } = numbers
  const isSamePrice = numbers.priceTicks === before.ticks
  const change = {
    ...(!isSamePrice && { price: priceTicks / TICKS_PER_RUPEE }),
    ...(lots !== before.lots && { quantity: lots / LOTS_PER_CONTRACT }),
  }
  const keepsPlace = isSamePrice && numbers.lots !== undefined && lots <= before.lots
  const own = withOwnHold(order, power, terms)
  const open = numbers.lots === undefined ? undefined : numbers.lots - before.filled
  const rest = restOf(order, { ...numbers, lots: open }, terms)
  const fault =
    filledFault(numbers.lots, before.filled) ??
    smallFault(numbers.lots) ??
    (keepsPlace ? undefined : withTotals(faultOf(rest, terms, own), before.filled))
  const covered = keepsPlace ? 0 : freeLots(order, power)
  const heldLots = Math.max(0, (rest.lots ?? 0) - covered - power.ownLocked)
  return { fault, change, keepsPlace, heldUnits: unitOf(rest, terms) * heldLots }
}

function filledFault(lots: number | undefined, filledLots: number): DraftFault | undefined {
  if (lots === undefined || lots > filledLots || filledLots === 0) return undefined
  return { field: 'quantity', words: t.aboveFilled(countText(filledLots / LOTS_PER_CONTRACT)) }
}

/** Returns the fault of a quantity that no order can have; to have none is to cancel. */
function smallFault(lots: number | undefined): DraftFault | undefined {
  if (lots === undefined || lots >= LOTS_MIN) return undefined
  return { field: 'quantity', words: t.aboveNothing }
}

/** Offers total quantities, as they are typed here, instead of open ones. */
function withTotals(fault: DraftFault | undefined, filledLots: number): DraftFault | undefined {
  if (fault?.fixes === undefined) return fault
  const fixes = fault.fixes.map(fix => {
    if (fix.lots === undefined) return fix
    const lots = fix.lots + filledLots
    return { ...fix, label: t.useContracts(countText(lots / LOTS_PER_CONTRACT)), lots }
  })
  return { ...fault, fixes }
}

/** Returns the open part as a draft; a sale that may go short is one of buying the other outcome. */
function restOf(order: Order, numbers: AmendedNumbers, { payoutTicks }: TicketTerms): TicketDraft {
  const { offer_type, outcome, reduce_only } = order
  if (offer_type === 'buy' || reduce_only) return { ...numbers, deal: offer_type, outcome, orderType: 'LO' }
  const { priceTicks, typedTicks, lots } = numbers
  return {
    deal: 'buy',
    outcome: oppositeSide(outcome),
    orderType: 'LO',
    priceTicks: priceTicks === undefined ? undefined : payoutTicks - priceTicks,
    ...(typedTicks !== undefined && { typedTicks: payoutTicks - typedTicks }),
    lots,
  }
}

function unitOf({ deal, priceTicks = 0 }: TicketDraft, { payoutTicks }: TicketTerms): number {
  return deal === 'buy' ? priceTicks : payoutTicks - priceTicks
}

/** Returns the means with what the order holds given back: contracts first, money for the others. */
function withOwnHold(order: Order, power: AmendingPower, { payoutTicks }: TicketTerms): BuyingPower {
  const remaining = Math.round(order.remaining_quantity * LOTS_PER_CONTRACT)
  const sold = oppositeSide(order.side)
  const covered = Math.min(remaining, sold === 'yes' ? power.yesLocked : power.noLocked)
  const ticks = Math.round(order.price * TICKS_PER_RUPEE)
  const unit = order.offer_type === 'buy' ? ticks : payoutTicks - ticks
  return {
    yesLots: power.yesLots + (sold === 'yes' ? covered : 0),
    noLots: power.noLots + (sold === 'no' ? covered : 0),
    moneyUnits: power.moneyUnits === undefined ? undefined : power.moneyUnits + unit * (remaining - covered),
  }
}

function freeLots(order: Order, { yesLots, noLots }: BuyingPower): number {
  return oppositeSide(order.side) === 'yes' ? yesLots : noLots
}
