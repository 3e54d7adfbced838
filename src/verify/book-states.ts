import type { Findings } from './findings.js'

/** Fingerprints of each market's book and progress, by code. */
export type BookStates = ReadonlyMap<number, string>

/** Compares the stored books with those of the replay, market by market (invariants, I13). */
export function compareBooks(replayed: BookStates, stored: BookStates, findings: Findings): void {
  const codes = new Set(stored.keys())
  for (const [code, state] of replayed) {
    const found = stored.get(code)
    codes.delete(code)
    if (found === undefined) findings.add(() => `market ${code}: it is not in the table`)
    else if (found !== state) {
      findings.add(() => `market ${code}: its state is ${found} by the tables, ${state} by the journal`)
    }
  }
  for (const code of codes) findings.add(() => `market ${code}: the journal knows nothing of it`)
}
