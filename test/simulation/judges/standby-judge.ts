import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert } from '../../../src/core/assert.js'
import type { TimeMs } from '../../../src/core/units.js'
import { amount } from '../../../src/core/units.js'
import { Exchange } from '../../../src/exchange/exchange.js'
import type { JournalRow } from '../../../src/store/journal.js'
import { Dice } from '../../fixtures/dice.js'
import { storedRows } from '../../fixtures/followed-exchange.js'
import type { World } from '../world/world.js'

/** A standby takes half a second for a journal: one in eight is followed. */
const ONE_OF = 8
const ROWS_MAX = 200

/** Checks of some journals that a standby that is given all of it writes the same tables, row for row. */
export async function assertFollowed(world: World): Promise<void> {
  const rows = world.rows<JournalRow>('SELECT * FROM journal ORDER BY sequence')
  if (rows.length % ONE_OF !== 0) return
  const directory = mkdtempSync(join(tmpdir(), 'raay-standby-'))
  const file = join(directory, 'raay.db')
  const dice = new Dice(rows.length)
  const standby = await openStandby(world, file)
  try {
    while (rows.length > 0) await standby.follow(rows.splice(0, dice.between(1, ROWS_MAX)))
    assert(standby.moneyIsAllThere(), 'the money of a standby is all there')
    await standby.drain()
    const [own, its] = [storedRows(file), storedRows(world.file)]
    for (const [table, expected] of its) {
      const found = own.get(table) ?? []
      const first = expected.findIndex((row, index) => row !== found[index])
      assert(first < 0 && found.length === expected.length, () => {
        return `a standby has the same ${table}, not ${found[first]} for ${expected[first]}`
      })
    }
  } finally {
    await standby.close()
    rmSync(directory, { recursive: true })
  }
}

function openStandby({ now }: World, file: string): Promise<Exchange> {
  const none = () => 'none'
  return Exchange.open({
    ...{ file, shardCount: 1, threads: false, standby: true, queueLengthMax: 1, eventsMax: () => 1 },
    startingBalance: amount(0),
    sources: {
      ...{ now: () => now as TimeMs, watch: () => now, sinceBoot: () => now },
      ...{ messageId: none, orderSuffix: none, eventId: none, rest: goOn => goOn() },
    },
    fail: error => {
      throw error
    },
  })
}
