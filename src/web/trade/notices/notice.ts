import type { Order } from '../../../client/shapes.js'
import type { Deal } from '../portfolio/own-deals.js'
import type { StatusChange } from './status-changes.js'

/** News of a user’s order or position: plain data, kept in the browser. */
export type Notice = {
  /** The number of the message that brought it, unique in the user’s channel; between two for other news. */
  readonly seq: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly eventId: string
} & (
  | { readonly kind: 'filled' | 'part_filled'; readonly deals: readonly Deal[]; readonly left: number }
  | { readonly kind: 'cancelled' | 'rejected'; readonly order: EndedOrder }
  | { readonly kind: 'mentioned'; readonly by: string; readonly text: string }
  | { readonly kind: 'status'; readonly status: StatusChange['status'] }
  | {
      readonly kind: 'settled'
      readonly result: 'yes' | 'no' | 'void'
      readonly payment: number
      readonly gain: number
    }
)

/** An order that ended, or never began, without being filled whole. */
export interface EndedOrder extends Pick<Order, 'offer_type' | 'outcome' | 'state' | 'reason'> {
  /** The unfilled quantity. */
  readonly quantity: number
  readonly price: number
}

/** The kinds that a user can turn off, each with those that it includes. */
export const NOTICE_GROUPS = {
  fills: ['filled', 'part_filled'],
  endings: ['cancelled', 'rejected'],
  results: ['settled', 'status'],
  mentions: ['mentioned'],
} as const satisfies Record<string, readonly Notice['kind'][]>

export type NoticeGroup = keyof typeof NOTICE_GROUPS

/** Returns the group of a notice. */
export function groupOf({ kind }: Pick<Notice, 'kind'>): NoticeGroup {
  if (kind === 'mentioned') return 'mentions'
  if (kind === 'settled' || kind === 'status') return 'results'
  return kind === 'cancelled' || kind === 'rejected' ? 'endings' : 'fills'
}
