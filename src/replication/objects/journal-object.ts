import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Bytes } from '../../backup/backup-store.js'
import type { StoreKeys } from '../../backup/stores/encrypted-store.js'
import type { Sequence, TimeMs } from '../../core/units.js'
import type { JournalRow } from '../../store/journal.js'
import type { LogEnd } from '../journal-log.js'

/** The first line of an object, which is never encrypted: sequences and hashes, but no contents. */
export interface ObjectHead {
  /** The exchange's id: eight hexadecimal digits. */
  readonly exchange: string
  readonly from: Sequence
  /** The hash of the line before the first, and the last line; for a fence both are the same. */
  readonly before: Buffer
  readonly end: LogEnd
  /** A fence has no lines: it ends the log. Names who has taken over; undefined for lines. */
  readonly fence: string | undefined
  readonly isEncrypted: boolean
}

/** The names of objects begin with it, and those of no other file do. */
export const OBJECTS = 'journal-'
const NAME = /^journal-(\d{16})\.raay$/
/** Lines of format 1 have all commands as JSON; those of 2 may have the forms of `command-text.ts`. */
const FORMAT = 2
const HEAD_LENGTH_MAX = 1000
/** More than any object unpacks to: one that unpacks to more was not written by us. */
const UNPACKED_MAX = 64 * 1024 * 1024
const NEWLINE = 10

const packed = promisify(gzip)
const unpacked = promisify(gunzip)

/** Returns the name of the object that begins with a line. */
export function objectName(from: Sequence): string {
  return `${OBJECTS}${String(from).padStart(16, '0')}.raay`
}

/** Returns the first line of the object with a name; undefined for another file. */
export function objectFrom(name: string): Sequence | undefined {
  const digits = NAME.exec(name)?.[1]
  return digits === undefined ? undefined : (Number(digits) as Sequence)
}

/** Packs lines, and encrypts them if there are keys to encrypt to. */
export async function writeObject(
  exchange: string,
  before: Buffer,
  lines: readonly [JournalRow, ...JournalRow[]],
  recipients: StoreKeys['recipients'],
): Promise<Buffer> {
  const last = lines.at(-1) ?? lines[0]
  const text = lines
    .map(({ sequence, shard, at, commands, hash }) =>
      JSON.stringify([sequence, shard, at, commands, hash.toString('hex')]),
    )
    .join('\n')
  const plain = await packed(text, { level: 1 })
  const isEncrypted = recipients.length > 0
  const head = headText({
    ...{ exchange, from: lines[0].sequence, before, fence: undefined, isEncrypted },
    end: { sequence: last.sequence, hash: last.hash },
  })
  return Buffer.concat([head, isEncrypted ? await encryptedTo(plain, recipients) : plain])
}

/**
 * Returns the object that ends a log.
 *
 * @param from the next line that the log lacks
 * @param end the line behind which another exchange goes on
 */
export function fenceObject(exchange: string, from: Sequence, end: LogEnd, fence: string): Buffer {
  return headText({ exchange, from, before: end.hash, end, fence, isEncrypted: false })
}

/** Reads what an object says about itself. Throws for one that this version did not write. */
export function readHead(name: string, contents: Uint8Array): ObjectHead {
  const length = contents.subarray(0, HEAD_LENGTH_MAX).indexOf(NEWLINE)
  const head = length < 0 ? undefined : parsed(Buffer.from(contents.subarray(0, length)).toString())
  if (typeof head === 'number') {
    throw new Error(`${name} has format ${head}, this program knows ${FORMAT}: start a newer Raay`)
  }
  if (head === undefined || objectName(head.from) !== name)
    throw new Error(`${name} is no object of a journal`)
  return head
}

/** Reads the lines of an object. Throws if it is damaged, or was encrypted for other keys. */
export async function readLines(
  name: string,
  contents: Uint8Array,
  identities: StoreKeys['identities'],
): Promise<JournalRow[]> {
  const { fence, isEncrypted } = readHead(name, contents)
  if (fence !== undefined) return []
  const body = contents.subarray(contents.indexOf(NEWLINE) + 1)
  if (isEncrypted && identities.length === 0) {
    throw new Error(`${name} is encrypted: give your key with --identity <file>`)
  }
  try {
    const plain = isEncrypted ? await decryptedWith(body, identities) : body
    const text = (await unpacked(plain, { maxOutputLength: UNPACKED_MAX })).toString()
    return text.split('\n').map(line => {
      const [sequence, shard, at, commands, hash] = JSON.parse(line) as [
        number,
        number,
        number,
        string,
        string,
      ]
      return {
        sequence: sequence as Sequence,
        shard,
        at: at as TimeMs,
        commands,
        hash: Buffer.from(hash, 'hex'),
      }
    })
  } catch {
    throw new Error(
      `${name} cannot be read: it is damaged${isEncrypted ? ', or encrypted for other keys' : ''}`,
    )
  }
}

/** Returns all of some contents. */
export async function wholeOf(contents: Bytes): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of contents) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function headText({ exchange, from, before, end, fence, isEncrypted }: ObjectHead): Buffer {
  const head = {
    raay: fence === undefined ? 'journal' : 'fence',
    format: FORMAT,
    exchange,
    from,
    to: end.sequence,
    before: before.toString('hex'),
    hash: end.hash.toString('hex'),
    encrypted: isEncrypted,
    by: fence,
  }
  return Buffer.from(`${JSON.stringify(head)}\n`)
}

/** Returns the head in a text, or the number of its format if that is newer; undefined for another text. */
function parsed(text: string): ObjectHead | number | undefined {
  try {
    const { raay, format, exchange, from, to, before, hash, encrypted, by } = JSON.parse(text) as {
      readonly [field: string]: unknown
    }
    const isOurs = (raay === 'journal' || raay === 'fence') && Number.isInteger(format)
    if (isOurs && (format as number) > FORMAT) return format as number
    const isWhole = typeof exchange === 'string' && Number.isSafeInteger(from) && Number.isSafeInteger(to)
    if (
      !isOurs ||
      (format as number) < 1 ||
      !isWhole ||
      typeof before !== 'string' ||
      typeof hash !== 'string'
    )
      return undefined
    return {
      exchange,
      from: from as Sequence,
      before: Buffer.from(before, 'hex'),
      end: { sequence: to as Sequence, hash: Buffer.from(hash, 'hex') },
      fence: raay === 'fence' ? String(by) : undefined,
      isEncrypted: encrypted === true,
    }
  } catch {
    return undefined
  }
}

async function* once(contents: Uint8Array): Bytes {
  yield contents
}

/** Loads the code of encryption only where it is needed. */
export async function encryptedTo(plain: Uint8Array, recipients: StoreKeys['recipients']): Promise<Buffer> {
  const { encrypted } = await import('../../backup/encryption/age-streams.js')
  return wholeOf(await encrypted(once(plain), recipients))
}

export async function decryptedWith(body: Uint8Array, identities: StoreKeys['identities']): Promise<Buffer> {
  const { decrypted } = await import('../../backup/encryption/age-streams.js')
  return wholeOf(await decrypted(once(body), identities))
}
