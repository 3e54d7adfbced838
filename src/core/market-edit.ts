import type { MarketListing, MarketProgress, MarketStatus, MarketTerms } from './market.js'
import { keepsOrders } from './market.js'
import type { MarketCode, QuantityLots } from './units.js'

/** The terms that can be edited. */
export type EditedTerms = Partial<
  Pick<MarketTerms, 'startAt' | 'endAt' | 'minBet' | 'maxBet' | 'capacity' | 'feeTaker' | 'feeMaker'>
>

/** The listing fields that can be edited; the slug follows the title. An empty optional field removes it. */
export type EditedListing = Partial<
  Pick<MarketListing, 'title' | 'slug' | 'description' | 'sot' | 'category' | 'sourceUrl'>
>

/** An edit of a market; fields not named stay as they are. */
export interface MarketEdit {
  readonly terms: EditedTerms
  readonly listing: EditedListing
}

export type EditedField = keyof EditedTerms | keyof EditedListing

/** Why an edit is refused. A refused edit changes nothing. */
export type EditRefusal =
  | { readonly reason: 'edit_too_late'; readonly field: EditedField; readonly status: MarketStatus }
  | { readonly reason: 'dates_crossed' | 'bets_crossed'; readonly field: EditedField }
  | { readonly reason: 'capacity_used'; readonly contracts: QuantityLots }

/** The current state of a market, as far as an edit depends on it. */
export interface EditContext {
  readonly terms: MarketTerms
  readonly progress: Pick<MarketProgress, 'status'>
  /** Its open pairs, and the contracts of the side that has more: in an exclusive group, that may be YES. */
  readonly pairs: { readonly count: QuantityLots; readonly contracts: QuantityLots }
}

/** The result of an edit: applied, or refused. */
export interface EditOutcome extends MarketEdit {
  /** The id of the command. */
  readonly id: string
  readonly market: MarketCode
  readonly refusal: EditRefusal | undefined
}

/** Trading terms can change while orders can rest; the wording, until the market is resolved by it. */
const EDITABLE_IN: Readonly<Record<EditedField, (status: MarketStatus) => boolean>> = {
  title: isUnresolved,
  slug: isUnresolved,
  description: isUnresolved,
  sot: isUnresolved,
  category: isUnresolved,
  sourceUrl: isUnresolved,
  startAt: status => status === 'scheduled',
  endAt: keepsOrders,
  minBet: keepsOrders,
  maxBet: keepsOrders,
  capacity: keepsOrders,
  feeTaker: keepsOrders,
  feeMaker: keepsOrders,
}

/** Returns why the market's current state rules the edit out; undefined if the edit is allowed. */
export function editRefusal(
  { terms, progress: { status }, pairs: { count, contracts } }: EditContext,
  edit: MarketEdit,
): EditRefusal | undefined {
  const fields = [...Object.keys(edit.listing), ...Object.keys(edit.terms)] as EditedField[]
  const late = fields.find(field => !EDITABLE_IN[field](status))
  if (late !== undefined) return { reason: 'edit_too_late', field: late, status }
  const { startAt, endAt, minBet, maxBet, capacity } = { ...terms, ...edit.terms }
  if (endAt <= startAt) {
    return { reason: 'dates_crossed', field: edit.terms.endAt === undefined ? 'startAt' : 'endAt' }
  }
  if (maxBet < minBet) {
    return { reason: 'bets_crossed', field: edit.terms.maxBet === undefined ? 'minBet' : 'maxBet' }
  }
  // Releases may leave more contracts than the capacity: then it may be raised, and everything else edited.
  const isShort = capacity < count || (capacity < contracts && capacity < terms.capacity)
  return isShort ? { reason: 'capacity_used', contracts } : undefined
}

/** Returns a listing after an edit; optional fields that are empty by then are absent. */
export function editedListing(listing: MarketListing, edit: EditedListing): MarketListing {
  const { category, sourceUrl, ...words } = { ...listing, ...edit }
  return { ...words, ...(category && { category }), ...(sourceUrl && { sourceUrl }) }
}

function isUnresolved(status: MarketStatus): boolean {
  return keepsOrders(status) || status === 'closed'
}
