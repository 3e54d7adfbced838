import type { MarketListing, MarketStatus, MarketTerms } from './market.js'
import { keepsOrders } from './market.js'
import type { MarketCode, QuantityLots } from './units.js'

/** What of its terms a market may get anew. */
export type EditedTerms = Partial<Pick<MarketTerms, 'startAt' | 'endAt' | 'minBet' | 'maxBet' | 'capacity'>>

/** What of its words a market may get anew; the slug goes with the title. */
export type EditedListing = Partial<Pick<MarketListing, 'title' | 'slug' | 'description' | 'sot'>>

/** What is to change in a market: only what is named. */
export interface MarketEdit {
  readonly terms: EditedTerms
  readonly listing: EditedListing
}

export type EditedField = keyof EditedTerms | keyof EditedListing

/** Why a market is not changed; nothing of the edit is done then. */
export type EditRefusal =
  | { readonly reason: 'edit_too_late'; readonly field: EditedField; readonly status: MarketStatus }
  | { readonly reason: 'dates_crossed' | 'bets_crossed'; readonly field: EditedField }
  | { readonly reason: 'capacity_used'; readonly openPairs: QuantityLots }

/** A market as an edit meets it. */
export interface Standing {
  readonly terms: MarketTerms
  readonly status: MarketStatus
  readonly openPairs: QuantityLots
}

/** What became of an edit. */
export interface EditOutcome extends MarketEdit {
  /** The command's. */
  readonly id: string
  readonly market: MarketCode
  readonly refusal: EditRefusal | undefined
}

/** What orders are judged by changes while there are orders; the words, until an outcome was told by them. */
const LAST: Readonly<Record<EditedField, (status: MarketStatus) => boolean>> = {
  title: isUntold,
  slug: isUntold,
  description: isUntold,
  sot: isUntold,
  startAt: status => status === 'scheduled',
  endAt: keepsOrders,
  minBet: keepsOrders,
  maxBet: keepsOrders,
  capacity: keepsOrders,
}

/** Why an edit cannot be done to a market as it stands, if it cannot. */
export function editRefusal(
  { terms, status, openPairs }: Standing,
  edit: MarketEdit,
): EditRefusal | undefined {
  const fields = [...Object.keys(edit.listing), ...Object.keys(edit.terms)] as EditedField[]
  const late = fields.find(field => !LAST[field](status))
  if (late !== undefined) return { reason: 'edit_too_late', field: late, status }
  const { startAt, endAt, minBet, maxBet, capacity } = { ...terms, ...edit.terms }
  if (endAt <= startAt) {
    return { reason: 'dates_crossed', field: edit.terms.endAt === undefined ? 'startAt' : 'endAt' }
  }
  if (maxBet < minBet) {
    return { reason: 'bets_crossed', field: edit.terms.maxBet === undefined ? 'minBet' : 'maxBet' }
  }
  return capacity < openPairs ? { reason: 'capacity_used', openPairs } : undefined
}

function isUntold(status: MarketStatus): boolean {
  return keepsOrders(status) || status === 'closed'
}
