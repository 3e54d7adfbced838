import type { StoredBackup } from '../../../backup/backup-list.js'
import { Failure } from '../../exit-errors.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { json, printing } from '../../run-verb.js'
import type { Verified } from './backup-text.js'
import { verificationText } from './backup-text.js'
import type { JsonOption } from './with-store.js'
import { addIdentity, addStore, withStore } from './with-store.js'

const NOT_IN_ORDER = 1

/** `raay backup verify`: examines backups and writes the result into their manifests. */
export function verifyCommand(): Command {
  const made = command('verify', 'examine a backup, the latest, or all', [
    'raay backup verify latest',
    'raay backup verify raay-20261121T180000.000Z',
    'raay backup verify all --data /srv/raay',
  ]).argument('<name|latest|all>')
  note(
    made,
    `Compares sizes and SHA-256 with the manifest, then checks SQLite's pages, the journal's hash chain, and
all that raay verify checks. The files of the backup stay as they are; the result is written into its
manifest.

Exit codes: 0 in order, 1 not in order or not readable, 2 wrong use.`,
  )
  return addIdentity(addStore(made)).action(printing(verify))
}

async function verify(text: string, options: JsonOption, made: Command): Promise<string> {
  return withStore(made, async ({ store, stage }) => {
    const { listBackups } = await import('../../../backup/backup-list.js')
    const { findBackup } = await import('../../../backup/find-backup.js')
    const { verifyBackup } = await import('../../../backup/verify-backup.js')
    const { examineCopy } = await import('../../../backup/examination.js')
    const listed = await listBackups(store)
    if (text === 'all' && listed.length === 0) throw new Failure(`there is no backup in ${store.place}`)
    const backups = text === 'all' ? listed : [findBackup(listed, text, store.place)]
    const verified = async (backup: StoredBackup): Promise<Verified | undefined> => {
      const { name } = backup
      try {
        const how = { stage, now: Date.now, examine: examineCopy }
        return { name, verification: await verifyBackup(store, backup, how) }
      } catch (error) {
        if (text !== 'all') throw error
        // The exchange may have pruned it meanwhile; others are verified all the same.
        const isThere = (await listBackups(store)).some(found => found.name === name)
        return isThere ? { name, failed: error instanceof Error ? error.message : String(error) } : undefined
      }
    }
    const results: Verified[] = []
    for (const backup of backups) {
      const found = await verified(backup)
      if (found !== undefined) results.push(found)
    }
    if (!results.every(({ verification }) => verification?.ok === true)) process.exitCode = NOT_IN_ORDER
    return options.json ? json(results) : results.map(verificationText).join('')
  })
}
