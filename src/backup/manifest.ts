import { z } from 'zod'
import { COMPANIONS } from '../store/files/companion-files.js'
import type { BackupName } from './backup-name.js'
import { readBackupName } from './backup-name.js'

/** Why a backup was made; `unknown` for one that was found without a manifest. */
const REASONS = ['asked', 'scheduled', 'before-restore', 'unknown'] as const

const FORMAT = 1
const TEXT_LENGTH_MAX = 100_000

const moment = z.iso.datetime()
const count = z.int().min(0)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const file = z.object({
  /**
   * `exchange`: tables and journal in one file; `accounts`: accounts and credentials; `site`: what is on the
   * pages beside trading; `archive`: what was moved out of tables and journal, in a file that backups share,
   * named after its hash.
   */
  part: z.enum(['exchange', ...COMPANIONS, 'archive']),
  bytes: count,
  sha256,
  /** The file as it is stored, if it is encrypted; the other sizes and hashes are of what is in it. */
  encrypted: z.object({ bytes: count, sha256 }).optional(),
  /** The name in the store, if it does not follow from the part: of an archive that is encrypted. */
  stored: z
    .string()
    .regex(/^archive-[0-9a-f]{16}\.[0-9a-f]{8}\.db$/)
    .optional(),
})

const batch = z.object({ sequence: count, at: moment })

const verification = z.object({
  at: moment,
  ok: z.boolean(),
  /** The checks that were made, such as `hashes`, `pages`, `journal`, `money`. */
  checked: z.array(z.string()),
  /** The first findings, in words. */
  findings: z.array(z.string()),
})

const manifest = z.object({
  format: z.literal(FORMAT),
  name: z.string().refine(text => readBackupName(text) === text),
  reason: z.enum(REASONS),
  made_at: moment,
  /** The version of Raay that made it, and that of its tables. */
  raay: z.string(),
  schema: count,
  /** The exchange's id: eight hexadecimal digits. */
  exchange: z.string().regex(/^[0-9a-f]{8}$/),
  /** The last batch in the journal, and its hash; null for an empty journal. */
  sequence: count,
  journal_hash: sha256.nullable(),
  /**
   * The first and the last batch, by the time of the exchange; `made_at` is another where the clock was set
   * back. Missing for an empty journal, and in older manifests.
   */
  journal: z.object({ first: batch, last: batch }).optional(),
  /**
   * Counts the backups of an exchange in a store, whatever the clock says. A restore may take the sequence
   * back, so that does not say which backup is the newer one. Missing in older manifests.
   */
  number: count.optional(),
  /** The exchange first. */
  files: z.array(file).min(1).max(4),
  verification: verification.nullable(),
})

export type BackupReason = (typeof REASONS)[number]
export type ManifestFile = Readonly<z.output<typeof file>>
export type BackupVerification = Readonly<z.output<typeof verification>>
/** The contents of a backup. Written last: a backup without a manifest is unfinished. */
export type Manifest = Readonly<Omit<z.output<typeof manifest>, 'format' | 'name'>> & {
  readonly name: BackupName
}

/** Reads the manifest of a backup; undefined if it is damaged, another backup's, or of an unknown format. */
export function readManifest(name: BackupName, text: string): Manifest | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined
  try {
    const read = manifest.safeParse(JSON.parse(text))
    if (!read.success || read.data.name !== name) return undefined
    const { format: _, ...known } = read.data
    return { ...known, name }
  } catch {
    return undefined
  }
}

/** Returns the contents of a manifest's file. */
export function manifestText(made: Manifest): string {
  return `${JSON.stringify({ format: FORMAT, ...made }, undefined, 2)}\n`
}
