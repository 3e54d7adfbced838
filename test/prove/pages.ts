import { join } from 'node:path'
import { Population } from '../bench/populate.js'
import { startRaayOn } from '../bench/server-child.js'
import { readLongLists } from '../fixtures/server/long-lists.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'

const MARKETS = 5
const SHOWN_MAX = 10

/**
 * Reads the lists of a user with this many orders page by page from the real server while more arrive.
 * Returns true if each was in order and complete.
 */
export async function provePages(orders: number, say: (line: string) => unknown): Promise<boolean> {
  const ends: (() => unknown)[] = []
  const data = dataDirectory({ teardown: end => void ends.unshift(end) })
  try {
    const population = new Population(join(data, 'raay.db'))
    await population.begin()
    const ids = await population.manyOrders('asha', orders, MARKETS)
    await population.close()
    const server = await startRaayOn(data)
    ends.unshift(() => server.stop())
    const startedAt = performance.now()
    const { wrong, rows, arrived } = await readLongLists(server.url, 'asha', ids)
    const took = `${((performance.now() - startedAt) / 1000).toFixed(0)} s`
    for (const line of wrong.slice(0, SHOWN_MAX)) say(line)
    say(
      `${orders} orders: ${rows} rows read while ${arrived} orders arrived, ${wrong.length} faults, ${took}`,
    )
    return wrong.length === 0
  } finally {
    for (const end of ends) await end()
  }
}
