import type { TimeMs } from '../../core/units.js'
import type { BackupAnswer } from './admin-answer.js'
import type { BackupReason } from './operator-shape.js'

/** A backup in its store. */
export interface Backup {
  readonly name: string
  readonly file: string
  readonly bytes: number
  readonly at: TimeMs
  /** Undefined if it is unfinished, or from a version that wrote none. */
  readonly manifest: BackupManifest | undefined
}

interface BackupManifest {
  readonly reason: BackupReason
  readonly sequence: number
  readonly verification: {
    readonly at: string
    readonly ok: boolean
    readonly findings: readonly string[]
  } | null
}

/** Shows a backup to operators. */
export function backupView({ name, file, bytes, at, manifest }: Backup): BackupAnswer {
  const verification = manifest?.verification ?? null
  return {
    name,
    file,
    bytes,
    createdAt: new Date(at).toISOString(),
    reason: manifest?.reason ?? null,
    sequence: manifest?.sequence ?? null,
    verification: verification && {
      createdAt: verification.at,
      ok: verification.ok,
      findings: [...verification.findings],
    },
  }
}
