import type { CopyFacts } from './backup-copy.js'
import type { StoredBackup } from './backup-list.js'
import type { Examination } from './examination.js'
import type { BackupVerification, Manifest } from './manifest.js'

const FINDINGS_MAX = 20
const FINDING_LENGTH_MAX = 500

/**
 * Returns the manifest of an examined backup, with the result in it. A backup without a manifest gets one if
 * it is in order; undefined if it is not, since then nothing says what it should contain.
 */
export function judged(
  { name, at, manifest }: Pick<StoredBackup, 'name' | 'at' | 'manifest'>,
  { facts, checked, findings }: Examination,
  now: number,
): { readonly verification: BackupVerification; readonly manifest: Manifest | undefined } {
  const differences = manifest === undefined || facts === undefined ? [] : differencesOf(manifest, facts)
  const all = [...differences, ...findings]
  const verification = {
    at: new Date(now).toISOString(),
    ok: facts !== undefined && all.length === 0,
    checked: manifest === undefined ? [...checked] : ['hashes', ...checked],
    findings: all.slice(0, FINDINGS_MAX).map(finding => finding.slice(0, FINDING_LENGTH_MAX)),
  }
  if (manifest !== undefined) {
    const journal = verification.ok && facts?.journal ? { journal: facts.journal } : {}
    return { verification, manifest: { ...manifest, ...journal, verification } }
  }
  if (facts === undefined || !verification.ok) return { verification, manifest: undefined }
  const made = { name, reason: 'unknown' as const, made_at: new Date(at).toISOString(), raay: '' }
  return { verification, manifest: { ...made, ...facts, verification } }
}

/** Returns how a backup differs from its manifest. */
function differencesOf(manifest: Manifest, facts: CopyFacts): string[] {
  const found = new Map(facts.files.map(file => [file.part, file]))
  const ofFiles = manifest.files.flatMap(({ part, bytes, sha256 }) => {
    const file = found.get(part)
    found.delete(part)
    if (file === undefined) return [`hashes: the file of the ${part} is missing`]
    if (file.bytes !== bytes) return [`hashes: the file of the ${part} has ${file.bytes} bytes, not ${bytes}`]
    return file.sha256 === sha256 ? [] : [`hashes: the file of the ${part} is not the one that was made`]
  })
  const more = [...found.keys()].map(part => `hashes: the file of the ${part} was not part of the backup`)
  const isSame =
    manifest.sequence === facts.sequence &&
    manifest.journal_hash === facts.journal_hash &&
    manifest.exchange === facts.exchange &&
    manifest.schema === facts.schema
  return [...ofFiles, ...more, ...(isSame ? [] : ['hashes: the manifest is of another exchange or batch'])]
}
