import { workerData } from 'node:worker_threads'
import type { OrderRecord } from '../core/order-record.js'
import type { MarketCode, OrderNumber } from '../core/units.js'
import { openReadOnly } from '../store/database.js'
import { OrderRows } from '../store/order-rows.js'
import { plainError } from './plain-error.js'

/**
 * What history may be asked. `open` comes first, so that a failing start is an answer; `close` comes last, so
 * that the thread is not ended in the middle of anything.
 */
export type HistoryTask =
  | { readonly kind: 'open' }
  | { readonly kind: 'find_order'; readonly market: MarketCode; readonly number: OrderNumber }
  | { readonly kind: 'close' }

const { file } = workerData as { readonly file: string }
let database: ReturnType<typeof openReadOnly> | undefined
let orders: OrderRows | undefined

/** The entry that Piscina calls, one task at a time. */
export default function work(task: HistoryTask): OrderRecord | undefined {
  try {
    return answer(task)
  } catch (error) {
    throw plainError(error)
  }
}

function answer(task: HistoryTask): OrderRecord | undefined {
  switch (task.kind) {
    case 'open':
      database = openReadOnly(file)
      orders = new OrderRows(database)
      return undefined
    case 'find_order':
      return orders?.find(task.market, task.number)
    case 'close':
      database?.close()
      return undefined
  }
}
