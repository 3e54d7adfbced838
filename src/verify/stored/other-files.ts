import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { ACCESS_FILE } from '../../access/accounts/access-schema.js'
import { SITE_FILE } from '../../site/site-schema.js'
import { examineCompanion } from '../../store/companions/companion-fault.js'
import { DecisionMark } from '../../store/companions/decision-mark.js'
import type { Database } from '../../store/database.js'
import { isPassing } from '../../store/database.js'
import { companionBackupPath, companionPath } from '../../store/files/companion-files.js'
import { idText } from '../../store/files/id-file.js'
import { TABLES_FILE } from '../../store/files/journal-path.js'
import { hasJournal } from '../../store/files/journal-split.js'
import { JOURNAL_SCHEMA } from '../../store/journal.js'
import { sqlOf } from '../../store/schema.js'
import { foreignObjects, objectsIn, objectsOf } from '../../store/schema-objects.js'
import { SCHEMA_VERSION, TABLES_SCHEMA } from '../../store/tables-schema.js'
import type { Checks } from '../checks.js'
import { unreadable } from '../verify-error.js'

/** Checks the files of accounts and of the site beside the tables or a backup, where they are. */
export function checkCompanions(database: Database, checks: Checks): void {
  const file = database.name
  const isLive = basename(file) === TABLES_FILE
  const exchange = Number(database.pragma('main.application_id', { simple: true }))
  for (const kind of [ACCESS_FILE, SITE_FILE]) {
    const { companion } = kind
    const path = isLive ? companionPath(file, companion) : companionBackupPath(file, companion)
    if (!existsSync(path)) continue
    const mark = isLive && companion === 'accounts' ? new DecisionMark(file) : undefined
    const state = examineCompanion({ path, exchange, mark }, kind)
    if (state.kind === 'doubtful' && state.error !== undefined && isPassing(state.error)) {
      throw unreadable(path, state.error)
    }
    if (state.kind === 'doubtful') checks.add(companion === 'accounts' ? 'access' : 'site', () => state.fault)
    if (state.kind !== 'sound') continue
    for (const name of state.foreign)
      checks.add('foreign', () => `${name} in ${basename(path)} is not Raay's`)
  }
}

/** Looks for tables, indexes, triggers and views that Raay did not make, and for the ids of both files. */
export function checkForeign(database: Database, checks: Checks): void {
  const expected = objectsOf(sqlOf(TABLES_SCHEMA, SCHEMA_VERSION))
  for (const name of foreignObjects(objectsIn(database), expected)) {
    checks.add('foreign', () => `${name} in ${basename(database.name)} is not Raay's`)
  }
  if (hasJournal(database)) return
  for (const name of foreignObjects(objectsIn(database, 'log'), objectsOf([JOURNAL_SCHEMA.tables]))) {
    checks.add('foreign', () => `${name} in the journal is not Raay's`)
  }
  const idIn = (part: string) => idText(Number(database.pragma(`${part}.application_id`, { simple: true })))
  if (idIn('main') !== idIn('log')) {
    checks.add('foreign', () => `the tables are of exchange ${idIn('main')}, the journal of ${idIn('log')}`)
  }
}
