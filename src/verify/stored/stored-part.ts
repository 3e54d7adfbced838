import { archiveDamage } from '../../store/archive/archive-fault.js'
import type { MoneyAudit } from '../../store/audit/money-audit.js'
import { auditMoney, auditMoneyWith } from '../../store/audit/money-audit.js'
import type { Database } from '../../store/database.js'
import { damageOf } from '../../store/database.js'
import type { BookStates } from '../book-states.js'
import type { CheckName } from '../checks.js'
import { Checks } from '../checks.js'
import type { Found } from '../findings.js'
import { checkChain } from '../journal-chain.js'
import { checkCompanions, checkForeign } from './other-files.js'
import type { RowHashes } from './row-hashes.js'
import type { RowsRead } from './stored-rows.js'
import { StoredBooks } from './stored-books.js'
import { storedRows } from './stored-rows.js'
import { checkTitleWords } from './title-words.js'

/** Result of reading the file, before anything is replayed. Plain data, so that it can cross threads. */
export interface StoredPart {
  readonly found: readonly (readonly [CheckName, Found])[]
  /** Undefined if the tables could not be read to their end. */
  readonly hashes: RowHashes | undefined
  readonly books: BookStates | undefined
  readonly audit: MoneyAudit | undefined
  /** The journal's last batch. */
  readonly journalSequence: number | undefined
}

/** Checks the pages and the journal's chain, reads every table, rebuilds the books, adds up the money. */
export function readStored(database: Database, read: RowsRead): StoredPart {
  const checks = new Checks()
  checks.guard('pages', () => {
    const damage = damageOf(database, 'whole')
    if (damage !== undefined) checks.add('pages', () => damage)
  })
  checks.guard('archive', () => {
    const damage = archiveDamage(database, database.name)
    if (damage !== undefined) checks.add('archive', () => damage)
  })
  const journalSequence = checks.guard('journal', () => checkChain(database, checks.of('journal')))
  const rebuilt = checks.guard('books', () => new StoredBooks(database, checks.of('books')))
  const hashes = checks.guard('statements', () =>
    storedRows(database, checks.of('statements'), rebuilt, read),
  )
  checks.guard('words', () => checkTitleWords(database, checks.of('words')))
  checks.guard('access', () => checkCompanions(database, checks))
  checks.guard('foreign', () => checkForeign(database, checks))
  // Without all of the orders there are neither books nor sums of them.
  const whole = hashes === undefined ? undefined : rebuilt
  const books = checks.guard('books', () => whole?.end())
  const audit = checks.guard('ledger', () =>
    whole === undefined ? auditMoney(database) : auditMoneyWith(database, whole.needs()),
  )
  for (const { rule, findings } of audit?.rules ?? []) {
    for (const finding of findings) checks.add('ledger', () => `${rule}: ${finding}`)
  }
  return { found: checks.found(), hashes, books, audit, journalSequence }
}
