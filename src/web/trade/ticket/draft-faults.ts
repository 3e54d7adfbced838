import { PRICE_MARGIN } from '../../../core/market.js'
import { oppositeSide } from '../../../core/order.js'
import { QUANTITY_LOTS_MAX, TICKS_PER_RUPEE, UNITS_PER_RUPEE } from '../../../core/units.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/ticket.js'
import { moneyRequest } from '../exchange-facts.js'
import type { Book } from '../market/ladder-rows.js'
import { nearestPrices, priceRange } from './price-fixes.js'
import type { BuyingPower, Outcome, TicketDraft, TicketTerms } from './ticket-draft.js'
import { feeShare, sideOf } from './ticket-draft.js'

/** A change that makes the order valid, offered as a button. */
export interface DraftFix {
  readonly label: string
  readonly priceTicks?: number
  readonly lots?: number
  /** An amount of money, in units of ₹0.0001. */
  readonly spendUnits?: number
  readonly orderType?: 'LO'
  /** Buys this outcome instead of selling the other. */
  readonly buy?: Outcome
}

/** An error in a ticket: the field, the text to show there, and what would mend it. */
export interface DraftFault {
  readonly field: 'price' | 'quantity' | 'type'
  readonly words: string
  readonly fixes?: readonly DraftFix[]
  /** True if the field may still be in the making, so that the error waits for an attempt to send. */
  readonly isIncomplete?: true
}

/** Prices keep ₹0.10 away from both ends, and a quantity is at least 0.1 (specification 8). */
export const LOTS_MIN = 10
const UNITS_PER_PAISA = 100

const ticksText = (ticks: number) => rupeesText(ticks / TICKS_PER_RUPEE)
const unitsText = (units: number) => rupeesText(units / UNITS_PER_RUPEE)
/** Money that is there, and money that is wanted: rounded so that too little never looks like enough. */
const hasText = (units: number) => unitsText(Math.floor(units / UNITS_PER_PAISA) * UNITS_PER_PAISA)
const needsText = (units: number) => unitsText(Math.ceil(units / UNITS_PER_PAISA) * UNITS_PER_PAISA)

/** Returns the first reason why the exchange would refuse the order, before it is sent. */
export function faultOf(draft: TicketDraft, terms: TicketTerms, power: BuyingPower): DraftFault | undefined {
  return (
    (draft.orderType === 'LO' ? priceFault(draft, terms) : undefined) ?? quantityFault(draft, terms, power)
  )
}

/** Returns the fault of a market order that finds nobody to trade with. */
export function emptyBookFault(draft: TicketDraft, book: Book): DraftFault | undefined {
  const levels = sideOf(draft) === 'yes' ? book.asks : book.bids
  if (draft.orderType === 'LO' || levels.length > 0) return undefined
  const words = draft.deal === 'buy' ? t.nobodySells : t.nobodyBuys
  return { field: 'type', words, fixes: [{ label: t.useLimit, orderType: 'LO' }] }
}

function priceFault({ priceTicks, typedTicks }: TicketDraft, terms: TicketTerms): DraftFault | undefined {
  const { payoutTicks, tickTicks } = terms
  const typed = priceTicks ?? typedTicks
  const [lowest, highest] = priceRange(terms).map(ticksText) as [string, string]
  if (typed === undefined) {
    return { field: 'price', words: t.enterPrice(lowest, highest), isIncomplete: true }
  }
  const fixes = nearestPrices(typed, terms).map(ticks => ({
    label: t.usePrice(ticksText(ticks)),
    priceTicks: ticks,
  }))
  if (typed < PRICE_MARGIN || typed > payoutTicks - PRICE_MARGIN) {
    return { field: 'price', words: t.priceRange(lowest, highest), fixes }
  }
  if (priceTicks === undefined || priceTicks % tickTicks !== 0) {
    return { field: 'price', words: t.priceStep(ticksText(tickTicks)), fixes }
  }
  return undefined
}

function quantityFault(draft: TicketDraft, terms: TicketTerms, power: BuyingPower): DraftFault | undefined {
  const fault = draft.amount === undefined ? undefined : amountFault(draft, terms, power)
  return fault ?? lotsFault(draft, power) ?? betFault(draft, terms, power)
}

/** Returns what is wrong with an amount in rupees, before it is turned into contracts. */
function amountFault(
  { amount, priceTicks }: TicketDraft,
  terms: TicketTerms,
  power: BuyingPower,
): DraftFault | undefined {
  const spend = amount?.spendUnits
  if (spend === undefined) return { field: 'quantity', words: t.enterAmount, isIncomplete: true }
  if (spend < terms.minBetUnits) {
    const fixes = [amountFix(terms.minBetUnits)]
    return { field: 'quantity', words: t.minOrder(unitsText(terms.minBetUnits)), fixes, isIncomplete: true }
  }
  const withFee = 1 + feeShare(terms, priceTicks ?? terms.payoutTicks)
  const { moneyUnits = Number.POSITIVE_INFINITY } = power
  const most = Math.min(terms.maxBetUnits, Math.floor(moneyUnits / withFee))
  if (spend <= most) return undefined
  if (power.isPenniless) return { field: 'quantity', words: moneyRequest() }
  const words =
    most < terms.maxBetUnits
      ? t.moneyShort(hasText(moneyUnits), needsText(Math.ceil(spend * withFee)))
      : t.maxOrder(unitsText(terms.maxBetUnits))
  return { field: 'quantity', words, fixes: most < terms.minBetUnits ? [] : [amountFix(most)] }
}

function amountFix(units: number): DraftFix {
  const spendUnits = Math.floor(units / UNITS_PER_PAISA) * UNITS_PER_PAISA
  return { label: t.useAmount(unitsText(spendUnits)), spendUnits }
}

function lotsFault(draft: TicketDraft, power: BuyingPower): DraftFault | undefined {
  const { lots, outcome, deal } = draft
  const fault = (words: string) => ({ field: 'quantity' as const, words })
  if (lots === undefined) return { ...fault(t.enterQuantity), isIncomplete: true }
  if (lots < LOTS_MIN) {
    return { ...fault(t.minContracts), fixes: quantityFixes(LOTS_MIN, draft), isIncomplete: true }
  }
  if (lots > QUANTITY_LOTS_MAX) return fault(t.maxContracts(countText(QUANTITY_LOTS_MAX / 100)))
  const free = freeLots(draft, power)
  if (deal === 'buy' || lots <= free) return undefined
  if (free > 0) {
    const words = t.sellUpTo(countText(free / 100), t.outcome[outcome])
    return { ...fault(words), fixes: quantityFixes(free, draft) }
  }
  const other = oppositeSide(outcome)
  const fixes = [{ label: t.buyInstead(t.outcome[other]), buy: other }]
  return { ...fault(t.nothingToSell(t.outcome[outcome], t.outcome[other])), fixes }
}

/** Returns the limit that the order's worth violates, at the worst price it accepts. */
function betFault(draft: TicketDraft, terms: TicketTerms, power: BuyingPower): DraftFault | undefined {
  const { lots = 0, deal, priceTicks } = draft
  // At market without anyone to trade with, there is no price to judge by.
  if (priceTicks === undefined) return undefined
  const free = freeLots(draft, power)
  // The exchange measures a bet by what the side costs, whether it is paid or sold into.
  const unit = deal === 'buy' ? priceTicks : terms.payoutTicks - priceTicks
  const bet = unit * lots
  const fault = (words: string, most: number) => ({
    field: 'quantity' as const,
    words,
    fixes: quantityFixes(most, draft),
  })
  if (bet > terms.maxBetUnits) {
    return fault(t.maxOrder(unitsText(terms.maxBetUnits)), Math.floor(terms.maxBetUnits / unit))
  }
  if (bet < terms.minBetUnits && free < lots) {
    const least = Math.ceil(terms.minBetUnits / unit)
    const found = fault(t.minOrder(unitsText(terms.minBetUnits)), least)
    const fixes = draft.amount === undefined ? found.fixes : [amountFix(unit * least + UNITS_PER_PAISA - 1)]
    return { ...found, fixes, isIncomplete: true }
  }
  const withFee = 1 + feeShare(terms, unit)
  const cost = unit * Math.max(0, lots - free)
  // A hair less: the share is a fraction, and what it gives may be a hair above a whole unit.
  const needed = Math.ceil(cost * withFee - 1e-6)
  if (power.moneyUnits === undefined || needed <= power.moneyUnits) return undefined
  if (power.isPenniless) return { field: 'quantity', words: moneyRequest() }
  const words = t.moneyShort(hasText(power.moneyUnits), needsText(needed))
  return fault(words, free + Math.floor(power.moneyUnits / (unit * withFee)))
}

function freeLots(draft: TicketDraft, power: BuyingPower): number {
  return sideOf(draft) === 'yes' ? power.noLots : power.yesLots
}

/** Offers a number of contracts, unless the ticket is in rupees. */
function quantityFixes(lots: number, { amount }: TicketDraft): readonly DraftFix[] {
  if (lots < LOTS_MIN || amount !== undefined) return []
  return [{ label: t.useContracts(countText(lots / 100)), lots }]
}
