import type { Server } from './client.js'
import type { Rows } from './pages.js'
import { allPages } from './pages.js'
import type { OrderView } from './verbs/order-text.js'

const OPEN_STATES = ['resting', 'partially_filled']
const MARKED_MAX = 1000

/** A user's open orders, the newest first, up to so many; of one event, or of all. Throws CallError. */
export async function openOrders(
  server: Server,
  userid: string,
  code: string | undefined,
  lengthMax: number,
): Promise<Rows<OrderView>> {
  const found = new Map<string, OrderView>()
  let hasMore = false
  // An order that is filled in part between the two questions is in the second answer, if not in the first.
  for (const state of OPEN_STATES) {
    const filter = { userid, state, ...(code !== undefined && { event_id: code }) }
    const part = await allPages<OrderView>(server, '/order', filter, 'orders', lengthMax)
    for (const order of part.rows) found.set(order.id, order)
    hasMore ||= part.hasMore
  }
  const rows = [...found.values()].sort((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, lengthMax)
  return { rows, hasMore: hasMore || found.size > rows.length }
}

/** A user's open orders of an event, as far as a drawing marks them. Throws CallError. */
export async function ordersMarked(server: Server, userid: string, code: string): Promise<OrderView[]> {
  return (await openOrders(server, userid, code, MARKED_MAX)).rows
}
