import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { StoreKeys } from '../../backup/stores/encrypted-store.js'
import type { CompanionKind } from '../../store/companions/companion-kind.js'
import type { RowImage } from '../../store/companions/table-rows.js'
import type { Companion } from '../../store/files/companion-files.js'
import { newestVersion } from '../../store/schema.js'
import { decryptedWith, encryptedTo } from '../objects/journal-object.js'

/** The first line of a pack, which is never encrypted. */
export interface PackHead {
  /** Counted from 1 in the log of its companion. */
  readonly place: number
  readonly companion: Companion
  /** A start of an exchange that leads: each has a name of its own. */
  readonly owner: string
  /** The epoch in which it leads. */
  readonly epoch: number
  /** The version of the companion's tables. */
  readonly version: number
  /** A begin has no rows: its owner goes on from there. A snapshot has all rows as of its first pack. */
  readonly kind: 'begin' | 'rows' | 'snapshot'
  /** Set in the first and in the last pack of rows that are written together, or not at all. */
  readonly isFirst: boolean
  readonly isLast: boolean
  /** Set if its text goes on in the next pack. */
  readonly isCut: boolean
  /** The last number of the owner's outbox whose rows the log has with this pack. */
  readonly number: number
  /** The last decision among all rows, if the companion chains them. */
  readonly decision: number
  /** The first pack of the last snapshot that is whole with this pack, or 0. */
  readonly base: number
  /** Set if an owner began with another file: to this pack, which is its begin, the snapshot before leads. */
  readonly until: number
  /** Bytes of that snapshot, and of the packs since. */
  readonly baseSize: number
  readonly sizeSince: number
  readonly isEncrypted: boolean
  /** The hash of the pack before it, in hexadecimal. */
  readonly before: string
}

export interface Pack {
  readonly head: PackHead
  readonly hash: string
  readonly body: Uint8Array
}

/** A log of packs that cannot be followed: one is missing, was changed, or was written by another. */
export class BrokenPackError extends Error {
  override readonly name = 'BrokenPackError'
}

/** The hash before the first pack. */
export const NO_HASH = '0'.repeat(64)
/** Behind a pack of this epoch no exchange goes on. */
export const LAST_EPOCH = Number.MAX_SAFE_INTEGER
/** Bytes of a body: with its head a pack stays under 512 KB. */
export const BODY_SIZE_MAX = 480_000
/** More than the text of any rows that are packed together. */
const TEXT_MAX = 64 * 1024 * 1024
const FORMAT = 1
const NEWLINE = 10

const packed = promisify(gzip)
const unpacked = promisify(gunzip)

/** Packs rows; the result may be too long for one pack. */
export async function packRows(
  rows: readonly RowImage[],
  recipients: StoreKeys['recipients'],
): Promise<Buffer> {
  const plain = await packed(rows.map(row => JSON.stringify(row)).join('\n'), { level: 1 })
  return recipients.length > 0 ? encryptedTo(plain, recipients) : plain
}

/** Returns the rows of a body, which may come from several packs. Throws if these keys do not open it. */
export async function unpackRows(
  body: Uint8Array,
  { place, isEncrypted }: PackHead,
  identities: StoreKeys['identities'],
): Promise<RowImage[]> {
  if (isEncrypted && identities.length === 0) {
    throw new BrokenPackError(`pack ${place} is encrypted: give your key with --identity <file>`)
  }
  try {
    const plain = isEncrypted ? await decryptedWith(body, identities) : body
    const text = (await unpacked(plain, { maxOutputLength: TEXT_MAX })).toString()
    return text === '' ? [] : text.split('\n').map(line => JSON.parse(line) as RowImage)
  } catch {
    throw new BrokenPackError(
      `pack ${place} cannot be read: it is damaged${isEncrypted ? ', or encrypted for other keys' : ''}`,
    )
  }
}

/** Returns the bytes of a pack, and its hash. */
export function writePack(
  head: PackHead,
  body: Uint8Array,
): { readonly bytes: Buffer; readonly hash: string } {
  const text = JSON.stringify({ raay: 'companion', format: FORMAT, ...head })
  const hash = hashOf(text, body)
  return { bytes: Buffer.concat([Buffer.from(`${hash} ${text}\n`), body]), hash }
}

/** Returns the later of an epoch and that of a pack; the pack that ends a log is of nobody who leads. */
export function laterEpoch(epoch: number, { head }: Pack): number {
  return head.epoch === LAST_EPOCH ? epoch : Math.max(epoch, head.epoch)
}

/** Reads a pack. Throws for one that was changed, or that no exchange of this version wrote. */
export function readPack(place: number, bytes: Uint8Array): Pack {
  const end = bytes.indexOf(NEWLINE)
  const line = Buffer.from(bytes.subarray(0, Math.max(0, end))).toString()
  const [hash, text] = [line.slice(0, 64), line.slice(65)]
  const body = bytes.subarray(end + 1)
  if (hash !== hashOf(text, body)) throw new BrokenPackError(`pack ${place} was changed, or is no pack`)
  const { format, ...head } = JSON.parse(text) as PackHead & { readonly format: number }
  if (format !== FORMAT || head.place !== place) {
    throw new BrokenPackError(`pack ${place} is of a newer version, or of another place`)
  }
  return { head, hash, body }
}

/** Throws for a pack of tables that this program does not know. */
export function refuseNewer({ version }: PackHead, kind: CompanionKind, log: string): void {
  const newest = newestVersion(kind.schema)
  if (version <= newest) return
  throw new BrokenPackError(
    `${log} has ${kind.name} of version ${version}, this program knows ${newest}: ` +
      'install the version of the exchange that leads',
  )
}

function hashOf(text: string, body: Uint8Array): string {
  return createHash('sha256').update(`${text}\n`).update(body).digest('hex')
}
