import { BulkCancels } from './bulk-cancels.js'
import { OrderAmendments } from './order-amendments.js'
import { OrderCancels } from './order-cancels.js'
import type { OrderEntryParts } from './order-entry.js'
import { OrderEntry } from './order-entry.js'
import { OrderPreviews } from './order-previews.js'
import { OrderQuotes } from './order-quotes.js'
import { OrderTimers } from './order-timers.js'

/** Needed to take orders. */
export type OrderDeskParts = Omit<OrderEntryParts, 'timers'>

/** Everything that users do with orders. */
export interface OrderDesk {
  readonly entry: OrderEntry
  readonly cancels: OrderCancels
  readonly amendments: OrderAmendments
  readonly timers: OrderTimers
  readonly previews: OrderPreviews
  readonly quotes: OrderQuotes
  readonly bulk: BulkCancels
}

/** Builds what takes orders, each part upon those before it. */
export function openOrderDesk(parts: OrderDeskParts): OrderDesk {
  const { desk, shards, lane, lookups, accounts, life, sources, meter } = parts
  const bulk = new BulkCancels(parts)
  const timers = new OrderTimers(parts, { lane, accounts, bulk })
  const entry = new OrderEntry({ desk, shards, lane, lookups, accounts, life, sources, meter, timers })
  const cancels = new OrderCancels({ desk, shards, lane, accounts, entry, bulk })
  const amendments = new OrderAmendments({ desk, shards, lane, lookups, entry, life, sources, timers })
  const previews = new OrderPreviews(parts, accounts)
  const quotes = new OrderQuotes({ desk, shards, lane, accounts, life, sources, entry, timers })
  return { entry, cancels, amendments, timers, previews, quotes, bulk }
}
