import { dirname, join } from 'node:path'
import type { TimeMs } from '../core/units.js'
import { COMPANIONS, companionBackupPath, companionsOfBackup } from '../store/files/companion-files.js'
import type { CopyFacts } from './backup-copy.js'
import { archiveOf, removeCopy } from './backup-copy.js'
import type { StoredBackup } from './backup-list.js'
import { putManifest } from './backup-list.js'
import { allFilesOf, backupNameAt, filesOf } from './backup-name.js'
import type { BackupStore } from './backup-store.js'
import type { EncryptedFile } from './encryption/encrypted-file.js'
import type { Examination } from './examination.js'
import type { BackupReason, Manifest, ManifestFile } from './manifest.js'
import { judged } from './verdict.js'

export interface BackupOrder {
  /** The tables of the exchange. */
  readonly file: string
  /** The directory in which copies are made for a store that is not on this machine. */
  readonly stage: string
  readonly reason: BackupReason
  /** The version of Raay. */
  readonly version: string
  readonly at: TimeMs
  /** Examines the copy before it is stored: for a store whose files cannot be read again. */
  readonly examine?: ((copy: string) => Promise<Examination>) | undefined
}

/** Copies an exchange to a file: `copyExchange`, in this thread or in another. */
export type Copy = (file: string, target: string) => Promise<CopyFacts> | CopyFacts

/** A backup with its manifest. */
export interface FinishedBackup extends StoredBackup {
  readonly manifest: Manifest
}

/**
 * Makes a backup in a store. The manifest is written last, when everything else is durable. A backup that
 * fails leaves nothing behind and throws; one that is killed leaves no manifest.
 */
export async function makeBackup(
  store: BackupStore,
  { file, stage, reason, version, at, examine }: BackupOrder,
  copy: Copy,
): Promise<FinishedBackup> {
  const name = backupNameAt(at)
  const files = filesOf(name)
  const made = join(store.directory ?? stage, files.exchange)
  const facts = await copy(file, made)
  const encrypted = new Map<ManifestFile['part'], EncryptedFile>()
  const note = (part: ManifestFile['part'], file: EncryptedFile | undefined) => {
    if (file !== undefined) encrypted.set(part, file)
  }
  try {
    const plain = { ...facts, name, reason, made_at: new Date(at).toISOString(), raay: version }
    const unverified = { ...plain, verification: null }
    const verification = examine && judged({ name, at, manifest: unverified }, await examine(made), at)
    if (store.directory === undefined) {
      for (const companion of companionsOfBackup(made)) {
        const copied = companionBackupPath(made, companion)
        note(companion, await store.putFile(files.companions[companion], copied))
      }
      await shareArchive(store, made)
      note('exchange', await store.putFile(files.exchange, made))
    }
    const described = facts.files.map(file => {
      const stored = encrypted.get(file.part)
      return stored === undefined ? file : { ...file, encrypted: stored }
    })
    const manifest = { ...unverified, ...verification?.manifest, files: described }
    await putManifest(store, manifest)
    return {
      ...{ name, at, manifest },
      file: store.pathOf(files.exchange),
      bytes: facts.files.reduce((sum, { part, bytes }) => sum + (part === 'archive' ? 0 : bytes), 0),
      companions: COMPANIONS.filter(companion => facts.files.some(({ part }) => part === companion)),
    }
  } catch (error) {
    await removeFrom(store, allFilesOf(name).reverse())
    throw error
  } finally {
    if (store.directory === undefined) {
      removeCopy(made)
    }
  }
}

/** Stores the archive of a copy, unless an earlier backup has: it never changes under its name. */
async function shareArchive(store: BackupStore, copy: string): Promise<void> {
  const archive = archiveOf(copy)
  if (archive === undefined || (await store.list()).some(({ name }) => name === archive)) return
  await store.putFile(archive, join(dirname(copy), archive))
}

/** Deletes what a failed backup has stored; a store that refuses this too keeps it, without a manifest. */
async function removeFrom(store: BackupStore, names: readonly string[]): Promise<void> {
  for (const name of names) {
    try {
      await store.delete(name)
    } catch {
      return
    }
  }
}
