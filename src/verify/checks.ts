import { isPassing } from '../store/database.js'
import type { Found } from './findings.js'
import { Findings } from './findings.js'
import type { ReplayFindings } from './shadow/replay.js'
import { unreadable } from './verify-error.js'

/** Every check in the order of the report, and the rule that it covers. */
const RULES = {
  pages: 'the file is whole (SQLite quick_check)',
  archive: 'the archive is the one that the tables name, unchanged',
  journal: 'batches 1, 2, 3, … without a gap, the hash chain unbroken, time never back',
  replay: 'every batch can be decided again from an empty state',
  fills: 'best price first, then the oldest; no fill beyond a limit; quantity = filled + left + cancelled',
  money: 'the cash and contracts of the replay are what its fills and transfers say',
  books: 'the books rebuilt from the tables are those of the replay',
  accounts: 'each row is what the journal says',
  positions: 'each row is what the journal says',
  markets: 'each row is what the journal says',
  market_groups: 'each row is what the journal says',
  house_quotes: 'each row is what the journal says',
  conversions: 'each row is what the journal says',
  orders: 'each row is what the journal says',
  trades: 'each row is what the journal says',
  entries: 'each row is what the journal says',
  order_keys: 'each row is what the journal says',
  batch_keys: 'each row is what the journal says',
  timers: 'each row is what the journal says',
  seasons: 'each row is what the journal says',
  fee_days: 'each row is what the journal says',
  transfers: 'each row is what the journal says',
  settlements: 'each row is what the journal says',
  admin_actions: 'each row is what the journal says',
  updates: 'each row is what the journal says',
  update_marks: 'each row is what the journal says',
  words: 'the search knows the words of each title, and no others',
  access: 'the accounts are whole, those of this exchange, and as they were decided',
  site: 'the site is whole, and that of this exchange',
  foreign: 'no file has a table, an index, a trigger or a view of others; one exchange owns them',
  statements: 'each line follows from the one before, the last is the cash of the account',
  ledger: 'Σ cash = 0; escrow, holds and locks are what contracts and open orders need',
} as const

export type CheckName = keyof typeof RULES

export interface CheckReport {
  readonly name: CheckName
  readonly rule: string
  /** `skipped`: faults elsewhere left nothing to compare with. */
  readonly result: 'ok' | 'broken' | 'skipped'
  /** The first findings, in words; `count` counts all. */
  readonly findings: readonly string[]
  readonly count: number
}

interface Sizes {
  /** The last batch that the tables include; all other numbers are as of it. */
  readonly sequence: number
  /**
   * The journal's last batch: later if the exchange runs or was killed, and the next start replays the rest.
   */
  readonly journalSequence: number
  /** CREATE_ORDER commands in the journal, and all commands. */
  readonly orders: number
  readonly commands: number
  readonly accounts: number
  readonly markets: number
  readonly openOrders: number
  /** RowHashes of all replayed books; undefined if the replay did not reach the end of the journal. */
  readonly stateHash: string | undefined
}

/** Result of a verification. */
export interface Report extends Sizes {
  readonly ok: boolean
  readonly checks: readonly CheckReport[]
}

/** Collects the findings of each check. */
export class Checks {
  readonly #findings = new Map<CheckName, Findings>()
  readonly #skipped = new Set<CheckName>()

  get replayFindings(): ReplayFindings {
    return { fills: this.of('fills'), money: this.of('money') }
  }

  of(name: CheckName): Findings {
    let findings = this.#findings.get(name)
    if (findings === undefined) {
      findings = new Findings()
      this.#findings.set(name, findings)
    }
    return findings
  }

  add(name: CheckName, say: () => string): void {
    this.of(name).add(say)
  }

  /** Returns all findings so far, in a form that crosses threads. */
  found(): (readonly [CheckName, Found])[] {
    return Array.from(this.#findings, ([name, { told, count }]) => [name, { told, count }])
  }

  take(found: readonly (readonly [CheckName, Found])[]): void {
    for (const [name, what] of found) this.of(name).take(what)
  }

  /** Skips some of the checks, whose number is bounded by their names. */
  skip(...names: readonly CheckName[]): void {
    for (const name of names) this.#skipped.add(name)
  }

  /**
   * Runs a part of the work; an error in it becomes a finding, and the other parts go on. Throws VerifyError
   * if the system fails to read, which says nothing about the files.
   */
  guard<T>(name: CheckName, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (isPassing(error)) throw unreadable(name, error)
      this.add(name, () => `it cannot be checked: ${error instanceof Error ? error.message : error}`)
      return undefined
    }
  }

  report(sizes: Sizes): Report {
    const checks = (Object.keys(RULES) as CheckName[]).map((name): CheckReport => {
      const { told, count } = this.of(name)
      const result = count > 0 ? 'broken' : this.#skipped.has(name) ? 'skipped' : 'ok'
      return { name, rule: RULES[name], result, findings: told, count }
    })
    return { ...sizes, ok: checks.every(({ result }) => result === 'ok'), checks }
  }
}
