import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAKERS_MAX } from '../../src/core/order.js'
import { prepareFile } from '../../src/exchange/recovery/recovery.js'
import { verifyFileInTwoThreads } from '../../src/verify/verify-file.js'
import { Population } from '../bench/populate.js'
import { wrong } from '../fixtures/wrong.js'

/** Each order that meets the whole book: whose it is, and what bounds it. */
const SWEEPS = [
  ['filled by one order of an older journal', 'other', undefined],
  ['cancelled by one order of an older journal', 'hub', undefined],
  ['filled by orders within their bound', 'other', MAKERS_MAX],
  ['cancelled by orders within their bound', 'hub', MAKERS_MAX],
] as const

/** Lets orders meet a book of any size; the tables follow, and the file verifies. */
export async function proveDeep(orders: number, say: (line: string) => void): Promise<boolean> {
  let isWhole = true
  for (const [what, by, makersMax] of SWEEPS) {
    const directory = mkdtempSync(join(tmpdir(), 'raay-deep-'))
    try {
      const file = join(directory, 'raay.db')
      const population = new Population(file)
      await population.begin()
      await population.deep(orders)
      const sweeps = Math.ceil(orders / (makersMax ?? orders))
      for (let sweep = 0; sweep < sweeps; sweep++) await population.sweep(by, orders, makersMax)
      const began = performance.now()
      await population.close()
      const replayed = performance.now()
      prepareFile(file)
      const found = wrong(await verifyFileInTwoThreads(file))
      isWhole &&= found.length === 0
      const [replay, verify] = [replayed - began, performance.now() - replayed].map(ms =>
        (ms / 1000).toFixed(1),
      )
      say(`${orders} orders ${what}: replayed in ${replay} s, verified in ${verify} s ${found.join('; ')}`)
    } finally {
      rmSync(directory, { recursive: true })
    }
  }
  return isWhole
}
