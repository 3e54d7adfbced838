import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createPrivateDirectory } from '../store/files/private-files.js'
import type { StoredBackup } from './backup-list.js'
import { putManifest } from './backup-list.js'
import type { BackupStore } from './backup-store.js'
import type { Examination } from './examination.js'
import { fetchBackup, pathInPlace } from './fetch-backup.js'
import type { BackupVerification } from './manifest.js'
import { judged } from './verdict.js'

export interface VerifyOptions {
  /** The directory to which files are fetched from a store that is not on this machine. */
  readonly stage: string
  readonly now: () => number
  /** `examineCopy`, in this process or in another. */
  readonly examine: (copy: string) => Promise<Examination>
}

/** Verifies a backup and writes the result into its manifest; leaves its other files unchanged. */
export async function verifyBackup(
  store: BackupStore,
  backup: StoredBackup,
  { stage, now, examine }: VerifyOptions,
): Promise<BackupVerification> {
  const examination = await withCopy(store, backup, stage, examine)
  const { verification, manifest } = judged(backup, examination, now())
  if (manifest !== undefined) await putManifest(store, manifest)
  return verification
}

async function withCopy<Result>(
  store: BackupStore,
  backup: StoredBackup,
  stage: string,
  use: (copy: string) => Promise<Result>,
): Promise<Result> {
  const inPlace = pathInPlace(store, backup)
  if (inPlace !== undefined) return use(inPlace)
  createPrivateDirectory(stage)
  const directory = mkdtempSync(join(stage, 'verify-'))
  try {
    return await use(await fetchBackup(store, backup, directory))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
