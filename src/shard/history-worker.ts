import { workerData } from 'node:worker_threads'
import type { OrderRecord } from '../core/order-record.js'
import type { MarketCode, OrderNumber } from '../core/units.js'
import { openReadOnly } from '../store/database.js'
import { OrderRows } from '../store/order-rows.js'
import { plainError } from './plain-error.js'

/** The one question that history is asked so far: how an order ended. */
export interface HistoryTask {
  readonly market: MarketCode
  readonly number: OrderNumber
}

const { file } = workerData as { readonly file: string }
const orders = new OrderRows(openReadOnly(file))

/** The entry that Piscina calls, one task at a time. */
export default function work(task: HistoryTask): OrderRecord | undefined {
  try {
    return orders.find(task.market, task.number)
  } catch (error) {
    throw plainError(error)
  }
}
