import type { Companion } from '../../store/files/companion-files.js'

/** The parts of an exchange that have versions. */
export type VersionedPart = 'tables' | 'journal' | Companion

/** The version of a file, and the one that this program writes. */
export interface FoundVersion {
  readonly part: VersionedPart
  readonly file: string
  /** Undefined if there is no such file yet. */
  readonly found: number | undefined
  readonly wanted: number
}
