import { join } from 'node:path'
import { ACCESS_FILE } from '../../access/accounts/access-schema.js'
import type { Check } from '../../server/doctor/check.js'
import { companionCheck } from '../../server/doctor/companion-check.js'
import { SITE_FILE } from '../../site/site-schema.js'
import { examineCompanion } from '../../store/companions/companion-fault.js'
import { DecisionMark } from '../../store/companions/decision-mark.js'
import { companionPath } from '../../store/files/companion-files.js'
import { IdFile } from '../../store/files/id-file.js'
import { TABLES_FILE } from '../../store/files/journal-path.js'

/** Checks the files of accounts and of the site as a start does, in the directory of an exchange. */
export function companionChecks(directory: string): Check[] {
  const file = join(directory, TABLES_FILE)
  const exchange = new IdFile(file).read()
  const mark = new DecisionMark(file)
  return [ACCESS_FILE, SITE_FILE].map(kind => {
    const { companion } = kind
    const of = companion === 'accounts' ? { exchange, mark } : { exchange }
    const state = examineCompanion({ path: companionPath(file, companion), ...of }, kind)
    if (state.kind === 'doubtful') return companionCheck(companion, state.fault)
    const isLost = state.kind === 'missing' && companion === 'accounts' && mark.read()?.number !== 0
    return companionCheck(companion, isLost ? 'it is missing or empty' : undefined)
  })
}
