import type { OrderRecord } from '../core/order-record.js'
import type { MarketCode, OrderNumber } from '../core/units.js'
import { openReadOnly } from '../store/database.js'
import { OrderRows } from '../store/order-rows.js'
import type { HistoryTask } from './history-worker.js'
import { WorkerThread } from './worker-thread.js'

const ENTRY = new URL('./history-worker.js', import.meta.url)

/** What is no longer in memory, read from disk: never by the main thread, never in a writer's way. */
export interface History {
  findOrder(market: MarketCode, number: OrderNumber): Promise<OrderRecord | undefined>
  close(): Promise<void>
}

/**
 * A reader in a worker thread of its own. Answers when it is ready: a thread that is ended while it still
 * loads the database's binding takes the whole process down with it.
 */
export async function openThreadedHistory(file: string, died: (error: Error) => void): Promise<History> {
  const thread = new WorkerThread<HistoryTask, OrderRecord | undefined>('history', ENTRY, { file }, died)
  await thread.run({ kind: 'open' })
  return {
    findOrder: (market, number) => thread.run({ kind: 'find_order', market, number }),
    close: async () => {
      await thread.run({ kind: 'close' })
      await thread.close()
    },
  }
}

/** The same in the caller's thread, for tests and simulations. */
export function openInlineHistory(file: string): History {
  const database = openReadOnly(file)
  const orders = new OrderRows(database)
  return {
    findOrder: async (market, number) => orders.find(market, number),
    close: async () => {
      database.close()
    },
  }
}
