import type { TimeMs } from '../core/units.js'
import type { Companion } from '../store/files/companion-files.js'
import { COMPANIONS } from '../store/files/companion-files.js'
import type { BackupName } from './backup-name.js'
import { backupTime, filesOf, readBackupName } from './backup-name.js'
import type { BackupStore, Bytes } from './backup-store.js'
import type { Manifest } from './manifest.js'
import { manifestText, readManifest } from './manifest.js'
import { sizeFindings } from './stored-parts.js'

/** A backup in a store. */
export interface StoredBackup {
  readonly name: BackupName
  readonly at: TimeMs
  /** The path or URL of its exchange, for messages. */
  readonly file: string
  /** The size of all its files but the manifest. */
  readonly bytes: number
  readonly companions: readonly Companion[]
  /**
   * Undefined if it is unfinished, damaged, or from a version that wrote none. Its verification is not in
   * order where a file is missing or has another size, whatever was found earlier.
   */
  readonly manifest: Manifest | undefined
}

/** The most backups listed, newest first. */
const LISTED_MAX = 1000
const READ_AT_ONCE = 16

/** Returns the backups in a store, newest first, with a manifest or without. */
export async function listBackups(store: BackupStore): Promise<StoredBackup[]> {
  const files = new Map((await store.list()).map(({ name, bytes }) => [name, bytes]))
  const names = [...files.keys()]
    .flatMap(file => readBackupName(file) ?? [])
    .filter((name, index, all) => files.has(filesOf(name).exchange) && all.indexOf(name) === index)
  const newest = names.sort().reverse().slice(0, LISTED_MAX)
  const found: StoredBackup[] = []
  while (found.length < newest.length) {
    const some = newest.slice(found.length, found.length + READ_AT_ONCE)
    const looked = await Promise.all(some.map(name => look(store, name, files)))
    for (const backup of looked) found.push(backup)
  }
  return found
}

async function look(
  store: BackupStore,
  name: BackupName,
  files: ReadonlyMap<string, number>,
): Promise<StoredBackup> {
  const { exchange, companions: named, manifest } = filesOf(name)
  const companions = COMPANIONS.filter(companion => files.has(named[companion]))
  const contents = files.has(manifest) ? await store.get(manifest) : undefined
  return {
    name,
    at: backupTime(name),
    file: store.pathOf(exchange),
    bytes: [exchange, ...companions.map(companion => named[companion])].reduce(
      (sum, file) => sum + (files.get(file) ?? 0),
      0,
    ),
    companions,
    manifest: contents && asStored(readManifest(name, await textOf(contents)), files),
  }
}

/** Takes back the verification of a backup whose files are not those that were verified, by their sizes. */
function asStored(manifest: Manifest | undefined, sizes: ReadonlyMap<string, number>): Manifest | undefined {
  const findings = manifest === undefined ? [] : sizeFindings(manifest, sizes)
  if (manifest === undefined || findings.length === 0) return manifest
  const { at = manifest.made_at, checked = [] } = manifest.verification ?? {}
  return { ...manifest, verification: { at, ok: false, checked, findings } }
}

/** Writes the manifest of a backup, which makes it a finished one. */
export async function putManifest(store: BackupStore, manifest: Manifest): Promise<void> {
  await store.put(filesOf(manifest.name).manifest, bytesOf(manifestText(manifest)))
}

async function* bytesOf(text: string): Bytes {
  yield Buffer.from(text)
}

async function textOf(contents: Bytes): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of contents) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
