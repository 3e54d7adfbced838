import { createHash } from 'node:crypto'
import { archiveName } from '../store/archive/archive-path.js'
import type { BackupFiles } from './backup-name.js'
import { filesOf } from './backup-name.js'
import type { BackupStore, Bytes } from './backup-store.js'
import type { EncryptedFile } from './encryption/encrypted-file.js'
import type { Manifest, ManifestFile } from './manifest.js'

/** Returns the name in the store of one of the files of a backup. */
export function storedName(files: BackupFiles, { part, sha256, stored }: ManifestFile): string {
  if (part === 'exchange') return files.exchange
  return part === 'archive' ? (stored ?? archiveName(sha256)) : files.companions[part]
}

/** Returns the name of an archive in a store, with the keys to which it is encrypted there. */
export function archiveNameIn({ keyId }: Pick<BackupStore, 'keyId'>, name: string): string {
  return keyId === undefined ? name : name.replace(/\.db$/, `.${keyId}.db`)
}

/** Returns how the sizes of stored files differ from a manifest, in words. */
export function sizeFindings(manifest: Manifest, sizes: ReadonlyMap<string, number>): string[] {
  const files = filesOf(manifest.name)
  return manifest.files.flatMap(file => {
    const name = storedName(files, file)
    const found = sizes.get(name)
    if (found === undefined) return [`stored: ${name} is missing`]
    // An operator may have decrypted it in place.
    const wanted = [file.encrypted?.bytes, file.bytes].filter(bytes => bytes !== undefined)
    return wanted.includes(found) ? [] : [`stored: ${name} has ${found} bytes, not ${wanted[0]}`]
  })
}

/** Returns how the encrypted files of a backup differ from what was written; reads all of them. */
export async function storedFindings(store: BackupStore, { name, files }: Manifest): Promise<string[]> {
  const findings: string[] = []
  for (const file of files) {
    if (file.encrypted === undefined) continue
    const stored = storedName(filesOf(name), file)
    const fault = await storedFault(store, stored, file.encrypted)
    if (fault !== undefined) findings.push(`stored: ${fault}`)
  }
  return findings
}

/** Returns how a stored file differs from what was written; undefined if it is the same. */
export async function storedFault(
  store: BackupStore,
  name: string,
  { bytes, sha256 }: EncryptedFile,
): Promise<string | undefined> {
  const contents = await (store.getStored?.(name) ?? store.get(name))
  if (contents === undefined) return `${store.pathOf(name)} is missing`
  const found = await digestOf(contents)
  if (found.bytes !== bytes) return `${store.pathOf(name)} has ${found.bytes} bytes, not ${bytes}`
  return found.sha256 === sha256 ? undefined : `${store.pathOf(name)} is not the file that was written`
}

async function digestOf(contents: Bytes): Promise<EncryptedFile> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of contents) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
