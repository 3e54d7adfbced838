import { journalEndFault } from '../store/audit/journal-end.js'
import { damageOf, isPassing, openReadOnly } from '../store/database.js'
import type { Companion } from '../store/files/companion-files.js'
import { COMPANIONS, companionBackupPath, companionsOfBackup } from '../store/files/companion-files.js'
import { sizeOfFile } from '../store/files/file-bytes.js'
import { SCHEMA_VERSION, TABLES_SCHEMA } from '../store/tables-schema.js'
import { verifyFileInTwoThreads } from '../verify/verify-file.js'
import type { CopyFacts } from './backup-copy.js'
import { factsOf } from './backup-copy.js'

/** Findings in the files of a backup, whatever its manifest says. */
export interface Examination {
  /** Undefined if the copy cannot be read. */
  readonly facts: CopyFacts | undefined
  readonly checked: readonly string[]
  readonly findings: readonly string[]
}

const LOGS = ['-wal', '-journal']

/**
 * Examines a copy of an exchange and the companions beside it: their pages, the journal's hash chain, and all
 * that `raay verify` checks. Changes nothing. No process may have the files open for writing. Throws if the
 * system fails to read, which says nothing about the files.
 */
export async function examineCopy(
  copy: string,
  verify: typeof verifyFileInTwoThreads = verifyFileInTwoThreads,
): Promise<Examination> {
  const files = [copy, ...COMPANIONS.map(companion => companionBackupPath(copy, companion))]
  const logs = files.flatMap(file => LOGS.map(suffix => file + suffix))
  const stray = logs.filter(log => sizeOfFile(log) > 0)
  if (stray.length > 0) {
    // SQLite would mix its pages with those of the copy.
    return unread(stray.map(log => `${log} is not part of the backup: delete it`))
  }
  try {
    const facts = factsOf(copy)
    const exchange = await examineExchange(copy, facts, verify)
    const parts = [exchange, ...companionsOfBackup(copy).map(companion => examineCompanion(copy, companion))]
    return {
      facts,
      checked: parts.flatMap(({ checked }) => checked),
      findings: parts.flatMap(({ findings }) => findings),
    }
  } catch (error) {
    if (isPassing(error)) throw error
    return unread([`it cannot be read: ${error instanceof Error ? error.message : String(error)}`])
  }
}

type Part = Omit<Examination, 'facts'>

async function examineExchange(
  copy: string,
  { schema }: CopyFacts,
  verify: typeof verifyFileInTwoThreads,
): Promise<Part> {
  if (TABLES_SCHEMA.first <= schema && schema < SCHEMA_VERSION) return examineOlder(copy)
  const { checks } = await verify(copy)
  const findings = checks.flatMap(({ name, findings }) => findings.map(finding => `${name}: ${finding}`))
  return { checked: checks.filter(({ result }) => result !== 'skipped').map(({ name }) => name), findings }
}

/** Examines a copy that lacks steps: its rows cannot be compared before a start takes them. */
function examineOlder(copy: string): Part {
  const database = openReadOnly(copy)
  try {
    const damage = damageOf(database)
    if (damage !== undefined) return { checked: ['pages'], findings: [`pages: ${damage}`] }
    const fault = journalEndFault(database, 'main.journal', Number.MAX_SAFE_INTEGER / 2)
    return { checked: ['pages', 'journal'], findings: fault === undefined ? [] : [`journal: ${fault}`] }
  } finally {
    database.close()
  }
}

function examineCompanion(copy: string, companion: Companion): Part {
  const check = `${companion} file`
  const database = openReadOnly(companionBackupPath(copy, companion))
  try {
    const damage = damageOf(database)
    return { checked: [check], findings: damage === undefined ? [] : [`${check}: ${damage}`] }
  } finally {
    database.close()
  }
}

const unread = (findings: readonly string[]): Examination => ({ facts: undefined, checked: [], findings })
