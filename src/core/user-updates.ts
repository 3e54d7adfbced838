import type { BatchOutcome, OrderChange } from './engine-event.js'
import { HOUSE } from './ledger.js'
import type { AccountPosting, PositionPosting } from './postings.js'
import type { AccountNumber } from './units.js'

/**
 * The messages that a batch sends on one user's private channel, in this order: each fill, each changed
 * order, each position, the balance. Each message takes the next number of the user's channel (specification
 * 12).
 */
export interface UserUpdates {
  /** The number of trade lines the batch adds to the user's statement; the messages follow their order. */
  fills: number
  readonly orders: OrderChange[]
  readonly positions: PositionPosting[]
  balance: AccountPosting | undefined
}

/** Returns the number of messages. */
export function updatesCount({ fills, orders, positions, balance }: UserUpdates): number {
  return fills + orders.length + positions.length + (balance === undefined ? 0 : 1)
}

/** Returns the updates of each user the batch touched, in a deterministic order: rows are numbered by it. */
export function updatesOf(
  outcome: Pick<BatchOutcome, 'entries' | 'orders' | 'positions' | 'accounts' | 'makers'>,
): Map<AccountNumber, UserUpdates> {
  const byUser = new Map<AccountNumber, UserUpdates>()
  // Escrows have neither statement lines nor holds; the house has lines but no channel.
  const users = new Set<AccountNumber>()
  for (const { account, kind } of outcome.entries) {
    users.add(account)
    if (kind === 'trade') updatesFor(byUser, account).fills++
  }
  users.delete(HOUSE)
  for (const change of outcome.orders) updatesFor(byUser, change.account).orders.push(change)
  for (const posting of outcome.positions) {
    const { account, yes, no, yesLocked, noLocked } = posting
    if (yes !== 0 || no !== 0 || yesLocked !== 0 || noLocked !== 0) {
      updatesFor(byUser, account).positions.push(posting)
    }
  }
  for (const posting of outcome.accounts) {
    const { account, cash, held } = posting
    if (held !== 0 || (cash !== 0 && users.has(account))) updatesFor(byUser, account).balance = posting
  }
  for (const maker of outcome.makers) byUser.delete(maker)
  return byUser
}

function updatesFor(byUser: Map<AccountNumber, UserUpdates>, account: AccountNumber): UserUpdates {
  const known = byUser.get(account)
  if (known !== undefined) return known
  const updates: UserUpdates = { fills: 0, orders: [], positions: [], balance: undefined }
  byUser.set(account, updates)
  return updates
}
