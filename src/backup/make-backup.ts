import { dirname, join } from 'node:path'
import type { TimeMs } from '../core/units.js'
import { archiveName } from '../store/archive/archive-path.js'
import { COMPANIONS, companionBackupPath } from '../store/files/companion-files.js'
import type { CopyFacts } from './backup-copy.js'
import type { StoredBackup } from './backup-list.js'
import { listBackups, putManifest } from './backup-list.js'
import type { BackupName } from './backup-name.js'
import { allFilesOf, backupNameAt, filesOf } from './backup-name.js'
import type { BackupStore } from './backup-store.js'
import type { Examination } from './examination.js'
import { withNote } from './making-note.js'
import { nextNumber } from './making-order.js'
import type { BackupReason, Manifest, ManifestFile } from './manifest.js'
import { withStageFolder } from './stage-folder.js'
import { archiveNameIn, storedFault, storedName } from './stored-parts.js'
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
 * Makes a backup in a store. The manifest is written last, when everything else is durable and, where it is
 * encrypted, was read back. A backup that fails leaves nothing behind and throws; one that is killed leaves
 * no manifest, and its files are deleted before the next one.
 */
export async function makeBackup(
  store: BackupStore,
  order: BackupOrder,
  copy: Copy,
): Promise<FinishedBackup> {
  const { directory } = store
  await store.clearUnfinished?.(order.at)
  return withNote(order.stage, store, backupNameAt(order.at), () => {
    if (directory !== undefined) return makeIn(directory, store, order, copy)
    return withStageFolder(order.stage, folder => makeIn(folder, store, order, copy))
  })
}

async function makeIn(
  directory: string,
  store: BackupStore,
  { file, reason, version, at, examine }: BackupOrder,
  copy: Copy,
): Promise<FinishedBackup> {
  const name = backupNameAt(at)
  const { exchange } = filesOf(name)
  const made = join(directory, exchange)
  const facts = await copy(file, made)
  const isPlaced = store.directory !== undefined
  let ours = isPlaced ? allFilesOf(name) : []
  try {
    const earlier = (await listBackups(store)).filter(backup => !isPlaced || backup.name !== name)
    if (earlier.some(backup => backup.name === name))
      throw new Error(`${store.pathOf(exchange)} is there already`)
    ours = allFilesOf(name)
    const number = nextNumber(earlier, facts.exchange)
    const plain = { ...facts, name, number, reason, made_at: new Date(at).toISOString(), raay: version }
    const unverified = { ...plain, verification: null }
    const verification = examine && judged({ name, at, manifest: unverified }, await examine(made), at)
    const files = isPlaced ? facts.files : await putParts(store, { name, made, facts, earlier })
    const manifest = { ...unverified, ...verification?.manifest, files }
    await putManifest(store, manifest)
    return {
      ...{ name, at, manifest },
      file: store.pathOf(exchange),
      bytes: facts.files.reduce((sum, { part, bytes }) => sum + (part === 'archive' ? 0 : bytes), 0),
      companions: COMPANIONS.filter(companion => facts.files.some(({ part }) => part === companion)),
    }
  } catch (error) {
    await removeFrom(store, [...ours].reverse())
    throw error
  }
}

/** A copy of an exchange that is to be stored, and the backups that are there already. */
interface MadeCopy {
  readonly name: BackupName
  readonly made: string
  readonly facts: CopyFacts
  readonly earlier: readonly StoredBackup[]
}

/** Stores the files of a copy, the exchange last; returns them as the manifest describes them. */
async function putParts(
  store: BackupStore,
  { name, made, facts, earlier }: MadeCopy,
): Promise<ManifestFile[]> {
  const described = new Map<ManifestFile['part'], ManifestFile>()
  for (const file of [...facts.files].reverse()) {
    const { part, sha256 } = file
    const put =
      part === 'archive'
        ? await shareArchive(store, join(dirname(made), archiveName(sha256)), file, earlier)
        : await putPart(store, part === 'exchange' ? made : companionBackupPath(made, part), {
            name: storedName(filesOf(name), file),
            file,
          })
    described.set(part, put)
  }
  return facts.files.map(file => described.get(file.part) ?? file)
}

/** Stores a file. Throws unless what is stored, if it is encrypted, is what was written. */
async function putPart(
  store: BackupStore,
  path: string,
  { name, file }: { readonly name: string; readonly file: ManifestFile },
): Promise<ManifestFile> {
  const encrypted = await store.putFile(name, path)
  if (encrypted === undefined) return file
  const fault = await storedFault(store, name, encrypted)
  if (fault !== undefined) throw new Error(`the backup was not stored as it was written: ${fault}`)
  return { ...file, encrypted }
}

/**
 * Stores the archive of a copy, unless an earlier backup has, for the same keys: it never changes under its
 * name.
 */
async function shareArchive(
  store: BackupStore,
  path: string,
  file: ManifestFile,
  earlier: readonly StoredBackup[],
): Promise<ManifestFile> {
  const plainName = archiveName(file.sha256)
  const name = archiveNameIn(store, plainName)
  const stored = name === plainName ? undefined : name
  const named = stored === undefined ? file : { ...file, stored }
  const size = (await store.list()).find(found => found.name === name)?.bytes
  const known = earlier
    .flatMap(({ manifest }) => manifest?.files ?? [])
    .find(
      ({ part, sha256, stored }) => part === 'archive' && sha256 === file.sha256 && stored === named.stored,
    )
  const isThere = stored === undefined ? size === file.bytes : size === known?.encrypted?.bytes
  if (size !== undefined && isThere) return { ...named, ...(stored && { encrypted: known?.encrypted }) }
  return putPart(store, path, { name, file: named })
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
