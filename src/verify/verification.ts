import { stateHash } from '../engine/state-hash.js'
import type { Database } from '../store/database.js'
import { damageOf } from '../store/database.js'
import { auditMoney } from '../store/money-audit.js'
import { compareBooks } from './book-comparison.js'
import type { CheckName, Report } from './checks.js'
import { Checks } from './checks.js'
import type { Difference } from './comparison.js'
import { compareRows } from './comparison.js'
import { explain } from './explanation.js'
import { FINDINGS_MAX } from './findings.js'
import type { Fingerprint } from './fingerprint.js'
import type { ReplayedJournal } from './journal-replay.js'
import { replayJournal } from './journal-replay.js'
import type { TableName } from './row-lines.js'
import { countAgain } from './second-count.js'
import { storedRows } from './stored-rows.js'

/** What is being read, and how much of it has been; `total` is 0 where it is not known. */
export interface Progress {
  readonly stage: 'pages' | 'journal' | 'books' | 'tables' | 'ledger'
  readonly done: number
  readonly total: number
  /** Orders of the journal played so far. */
  readonly orders: number
}

/**
 * Checks a whole exchange at one moment: plays its journal into an empty state and compares every row of
 * every table with it. The caller has begun a read transaction.
 */
export function verify(database: Database, told: (progress: Progress) => void): Report {
  const checks = new Checks()
  const tell = (stage: Progress['stage'], done = 0, total = 0, orders = 0) =>
    told({ stage, done, total, orders })

  tell('pages')
  checks.guard('pages', () => {
    const damage = damageOf(database)
    if (damage !== undefined) checks.add('pages', () => damage)
  })
  const total = lastSequence(database)
  const replayed = checks.guard('journal', () => {
    return replayJournal(database, checks.replayFindings, (sequence, orders) => {
      tell('journal', sequence, total, orders)
    })
  })
  const stopped = replayed?.stopped
  if (stopped !== undefined) checks.add('replay', () => stopped)
  const whole = stopped === undefined ? replayed : undefined
  if (whole === undefined) checks.skip('money', 'books')
  else {
    countAgain(whole.replay, checks.of('money'))
    tell('books')
    checks.guard('books', () => compareBooks(database, whole.replay.engine, checks.of('books')))
  }
  tell('tables')
  const stored = checks.guard('statements', () =>
    storedRows(database, checks.of('statements'), rows => tell('tables', rows)),
  )
  if (whole !== undefined && stored !== undefined) compareTables(database, checks, whole, stored)
  else checks.skip(...TABLE_CHECKS)
  tell('ledger')
  const audit = checks.guard('ledger', () => auditMoney(database))
  for (const { rule, findings } of audit?.rules ?? []) {
    for (const finding of findings) checks.add('ledger', () => `${rule}: ${finding}`)
  }
  return checks.report({
    sequence: replayed?.sequence ?? 0,
    orders: replayed?.replay.ordersCount ?? 0,
    commands: replayed?.commandsCount ?? 0,
    accounts: audit?.accounts ?? 0,
    markets: audit?.markets ?? 0,
    openOrders: audit?.openOrders ?? 0,
    stateHash: whole === undefined ? undefined : stateHash(whole.replay.engine),
  })
}

const TABLE_CHECKS: readonly (CheckName & TableName)[] = [
  ...([
    'accounts',
    'positions',
    'markets',
    'orders',
    'trades',
    'entries',
    'transfers',
    'settlements',
  ] as const),
]

function lastSequence(database: Database): number {
  const [last] = database.prepare('SELECT ifnull(max(sequence), 0) FROM journal').raw().get() as [number]
  return last
}

/**
 * Compares all rows by their hashes. Where some differ the journal is played once more, to say what the first
 * ones of each table should be.
 */
function compareTables(
  database: Database,
  checks: Checks,
  replayed: ReplayedJournal,
  stored: Fingerprint,
): void {
  const watched = new Map<TableName, Map<string, Difference>>()
  for (const difference of compareRows(replayed.rows.fingerprint, stored)) {
    const ofTable = watched.get(difference.table) ?? new Map<string, Difference>()
    watched.set(difference.table, ofTable)
    if (ofTable.size < FINDINGS_MAX) ofTable.set(difference.key, difference)
    else checks.add(difference.table, () => '')
  }
  if (watched.size === 0) return
  const { rows } = replayJournal(database, new Checks().replayFindings, () => undefined, watched)
  for (const [table, differences] of watched) {
    for (const difference of differences.values()) {
      for (const text of explain(database, rows.lines, difference)) checks.add(table, () => text)
    }
  }
}
