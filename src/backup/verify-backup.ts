import type { StoredBackup } from './backup-list.js'
import { putManifest } from './backup-list.js'
import type { BackupStore } from './backup-store.js'
import type { Examination } from './examination.js'
import { fetchBackup, pathInPlace } from './fetch-backup.js'
import type { BackupVerification } from './manifest.js'
import { withStageFolder } from './stage-folder.js'
import { storedFindings } from './stored-parts.js'
import { judged } from './verdict.js'

export interface VerifyOptions {
  /** The directory to which files are fetched from a store that is not on this machine. */
  readonly stage: string
  readonly now: () => number
  /** `examineCopy`, in this process or in another. */
  readonly examine: (copy: string) => Promise<Examination>
}

/**
 * Verifies a backup and writes the result into its manifest; leaves its other files unchanged. Of a backup
 * that this process cannot open it compares what is stored with what was written, once that was examined.
 */
export async function verifyBackup(
  store: BackupStore,
  backup: StoredBackup,
  { stage, now, examine }: VerifyOptions,
): Promise<BackupVerification> {
  const sealed = store.isSealed === true ? await verifySealed(store, backup, now()) : undefined
  if (sealed !== undefined) return sealed
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
  return withStageFolder(stage, async folder => use(await fetchBackup(store, backup, folder)))
}

/** Returns undefined for a backup that is not encrypted, or was never examined: it has to be opened. */
async function verifySealed(
  store: BackupStore,
  { manifest }: StoredBackup,
  now: number,
): Promise<BackupVerification | undefined> {
  const before = manifest?.verification
  const isEncrypted = manifest?.files.every(({ encrypted }) => encrypted !== undefined)
  if (manifest === undefined || isEncrypted !== true || !before) return undefined
  const findings = await storedFindings(store, manifest)
  if (findings.length === 0 && !before.ok) return undefined
  const checked = [...new Set([...before.checked, 'stored'])]
  const verification = { at: new Date(now).toISOString(), ok: findings.length === 0, checked, findings }
  await putManifest(store, { ...manifest, verification })
  return verification
}
