import { Engine } from '../engine/engine.js'
import { stateHash } from '../engine/state-hash.js'
import type { Database } from '../store/database.js'
import { isPassing } from '../store/database.js'
import { GroupRows } from '../store/rows/group-rows.js'
import { MarketRows } from '../store/rows/market-rows.js'
import { OpenOrderRows } from '../store/rows/open-order-rows.js'
import type { Findings } from './findings.js'

/** Fingerprints of each market's book and progress, by code. */
export type BookStates = ReadonlyMap<number, string>

/** Rebuilds every market's book from the tables, as a start does. */
export function storedBooks(database: Database, findings: Findings): BookStates {
  const openOrders = new OpenOrderRows(database)
  const groups = new GroupRows(database)
  const states = new Map<number, string>()
  for (const { terms, progress } of [...new MarketRows(database).all()]) {
    const engine = new Engine()
    try {
      const group = terms.group === undefined ? undefined : groups.find(terms.group)
      if (group !== undefined) engine.restoreGroup(group.terms, group.progress)
      engine.restore(terms, progress, openOrders.resting(terms.code))
      for (const market of engine.markets()) market.book.assertInvariants()
      states.set(terms.code, stateHash({ markets: () => engine.markets(), groups: () => [] }))
    } catch (error) {
      if (isPassing(error)) throw error
      const reason = error instanceof Error ? error.message : String(error)
      findings.add(() => `market ${terms.code}: its book cannot be rebuilt: ${reason}`)
      states.set(terms.code, 'unknown')
    }
  }
  return states
}

/** Compares the stored books with those of the replay, market by market (invariants, I13). */
export function compareBooks(replayed: Engine, stored: BookStates, findings: Findings): void {
  const codes = new Set(stored.keys())
  for (const market of replayed.markets()) {
    const { code } = market.terms
    const state = stateHash({ markets: () => [market], groups: () => [] })
    const found = stored.get(code)
    codes.delete(code)
    if (found === undefined) findings.add(() => `market ${code}: it is not in the table`)
    else if (found !== state) {
      findings.add(() => `market ${code}: its state is ${found} by the tables, ${state} by the journal`)
    }
  }
  for (const code of codes) findings.add(() => `market ${code}: the journal knows nothing of it`)
}
