import { join } from 'node:path'
import { openToTamper, toOneFile } from '../fixtures/damaged-copy.js'
import { takeBackToVersion1 } from '../fixtures/older-versions.js'
import { Population } from './populate.js'

/** Orders that a user places; a tenth of all users have this many in the book of one market. */
const ORDERS_EACH = 50
const MARKETS = 100

/**
 * Makes a data file of the first version with this many orders in a directory: half of them rest in one book,
 * a quarter have been filled, a quarter rest in a hundred others.
 */
export async function olderFile(directory: string, orders: number): Promise<string> {
  const file = join(directory, 'raay.db')
  const population = new Population(file)
  await population.begin()
  await population.resting(Math.ceil(orders / 2 / ORDERS_EACH), ORDERS_EACH)
  await population.manyOrders('asha', Math.floor(orders / 2) - MARKETS, MARKETS)
  await population.close()
  toOneFile(file)
  const database = openToTamper(file)
  takeBackToVersion1(database)
  database.exec('VACUUM')
  database.close()
  return file
}
