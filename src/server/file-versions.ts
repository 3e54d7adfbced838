import { ACCESS_FILE } from '../access/accounts/access-schema.js'
import { RecoveryError } from '../exchange/recovery/recovery-error.js'
import { SITE_FILE } from '../site/site-schema.js'
import { companionPath } from '../store/files/companion-files.js'
import { readStamp } from '../store/files/exchange-id.js'
import { journalPath } from '../store/files/journal-path.js'
import { JOURNAL_SCHEMA } from '../store/journal.js'
import { versionRefusal } from '../store/schema.js'
import { TABLES_SCHEMA } from '../store/tables-schema.js'

/**
 * Throws RecoveryError if a file of a locked data directory has a version that this program does not open.
 * Opens none with SQLite, and so changes nothing, not even a time. What is wrong with a file in other ways is
 * for those that open it to say.
 */
export function refuseOtherVersions(file: string): void {
  const companions = [ACCESS_FILE, SITE_FILE].map(({ companion, schema, applicationId }) => {
    return { path: companionPath(file, companion), schema, applicationId }
  })
  const parts = [
    { path: file, schema: TABLES_SCHEMA, applicationId: undefined },
    { path: journalPath(file), schema: JOURNAL_SCHEMA, applicationId: undefined },
    ...companions,
  ]
  for (const { path, schema, applicationId } of parts) {
    const stamp = readStamp(path)
    // A file of version 0 is new or not Raay's; something else may be where a companion should be.
    if (stamp === undefined || stamp.version === 0) continue
    if (applicationId !== undefined && stamp.id !== applicationId) continue
    const refusal = versionRefusal(stamp.version, schema)
    if (refusal !== undefined) throw new RecoveryError(`${path} ${refusal}. Nothing was changed`)
  }
}
