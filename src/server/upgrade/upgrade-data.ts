import { dirname, join } from 'node:path'
import { copyExchange } from '../../backup/backup-copy.js'
import { examineCopy } from '../../backup/examination.js'
import { makeBackup } from '../../backup/make-backup.js'
import { STAGING } from '../../backup/stage-folder.js'
import { DirectoryStore } from '../../backup/stores/directory-store.js'
import { verifyBackup } from '../../backup/verify-backup.js'
import type { TimeMs } from '../../core/units.js'
import { checkFile } from '../../exchange/recovery/check-file.js'
import { prepareFile } from '../../exchange/recovery/recovery.js'
import { freeBytesIn } from '../../store/disk-room.js'
import type { UpgradePlan } from './upgrade-plan.js'
import { readPlan } from './upgrade-plan.js'
import { roomRefusal } from './upgrade-words.js'

/** The files must not be upgraded; the message says why and what to do. */
export class UpgradeError extends Error {
  override readonly name = 'UpgradeError'
}

/** Work of an upgrade, told as it begins. */
export interface UpgradeProgress {
  readonly what: string
  /** Milliseconds of work done and in all, as measured on another machine. */
  readonly doneMs: number
  readonly totalMs: number
}

/** How an upgrade is made. */
export interface UpgradeOptions {
  /** The version of this program. */
  readonly version: string
  readonly now: () => TimeMs
  readonly makesBackup: boolean
  readonly told: (progress: UpgradeProgress) => void
  /** Returns how many bytes are free, for tests. */
  readonly free?: (directory: string) => number
}

/** The result of an upgrade. */
export interface Upgraded {
  /** The version of the tables before. */
  readonly from: number
  /** The path of the backup; undefined if none was wanted. */
  readonly backup: string | undefined
}

/**
 * Brings the files of a locked data directory to this version: checks them, backs them up, migrates the
 * tables. Returns undefined if there was nothing to do. Throws before anything is changed if a newer program
 * wrote them, or if there is no room for the backup.
 */
export async function upgradeData(file: string, options: UpgradeOptions): Promise<Upgraded | undefined> {
  const { version, free = freeBytesIn, makesBackup, told } = options
  const directory = dirname(file)
  const plan = await readPlan(directory, version, free)
  const { estimatedMs: totalMs, backupMs, bytesNeeded, bytesFree } = plan
  // A file that cannot be read is refused by the start itself, which knows more about it.
  if (plan.versions.some(({ found = 0, wanted }) => found > wanted)) throw new UpgradeError(plan.refusal)
  if (!plan.isNeeded) return undefined
  const isShort = makesBackup && bytesFree < bytesNeeded
  if (isShort) throw new UpgradeError(roomRefusal(directory, bytesNeeded, bytesFree))

  told({ what: 'checking the files', doneMs: 0, totalMs })
  checkFile(file)
  const backup = makesBackup ? await backedUp(file, plan, options) : undefined
  prepareFile(file, ({ what, doneMs }) => told({ what, doneMs: backupMs + doneMs, totalMs }))
  return { from: plan.versions[0]?.found ?? 0, backup }
}

/** Returns the path of a verified backup, made now unless there is one of this state. */
async function backedUp(file: string, plan: UpgradePlan, options: UpgradeOptions): Promise<string> {
  if (plan.backup !== undefined) return plan.backup.file
  const { version, now, told } = options
  const { estimatedMs: totalMs } = plan
  const store = new DirectoryStore(join(dirname(file), 'backups'))
  const stage = join(dirname(file), STAGING)
  told({ what: 'backing up', doneMs: 0, totalMs })
  const order = { file, stage, reason: 'before-upgrade', version, at: now() } as const
  const made = await makeBackup(store, order, copyExchange).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UpgradeError(`the backup before the upgrade failed: ${reason}. Nothing was changed`)
  })
  told({ what: 'verifying the backup', doneMs: 0, totalMs })
  const { ok, findings } = await verifyBackup(store, made, { stage, now, examine: examineCopy })
  if (ok) return made.file
  throw new UpgradeError(
    `the backup before the upgrade, ${made.file}, is not in order (${findings[0]}). Nothing else was changed`,
  )
}
