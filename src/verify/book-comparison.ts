import { Engine } from '../engine/engine.js'
import { stateHash } from '../engine/state-hash.js'
import type { Database } from '../store/database.js'
import { Tables } from '../store/tables.js'
import type { Findings } from './findings.js'

/**
 * Rebuilds every market's book from the tables, as a start does, and compares its fingerprint with that of
 * the replay (proof.md, I13).
 */
export function compareBooks(database: Database, replayed: Engine, findings: Findings): void {
  const tables = new Tables(database)
  const codes = new Set<number>()
  const restored = new Map<number, Engine>()
  for (const { terms, progress } of [...tables.markets.all()]) {
    const engine = new Engine()
    try {
      engine.restore(terms, progress, tables.orders.resting(terms.code))
      for (const market of engine.markets()) market.book.assertInvariants()
      restored.set(terms.code, engine)
    } catch (error) {
      findings.add(() => `market ${terms.code}: its book cannot be rebuilt: ${messageOf(error)}`)
      codes.add(terms.code)
    }
  }
  for (const market of replayed.markets()) {
    const { code } = market.terms
    const stored = restored.get(code)
    restored.delete(code)
    if (stored === undefined) {
      if (!codes.has(code)) findings.add(() => `market ${code}: it is not in the table`)
      continue
    }
    const hashes = [stateHash({ markets: () => [market] }), stateHash(stored)]
    if (hashes[0] === hashes[1]) continue
    findings.add(() => `market ${code}: its state is ${hashes[1]} by the tables, ${hashes[0]} by the journal`)
  }
  for (const code of restored.keys()) findings.add(() => `market ${code}: the journal knows nothing of it`)
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
