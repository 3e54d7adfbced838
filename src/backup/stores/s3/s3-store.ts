import type { BackupStore, Bytes, StoredFile } from '../../backup-store.js'
import { fileContents } from '../file-contents.js'
import type { S3Credentials, S3Place } from './s3-place.js'
import { addressOf } from './s3-place.js'
import type { Upload, UploadedPart, Ways } from './s3-requests.js'
import { S3Requests } from './s3-requests.js'

/** Some stores require parts of equal size, and all of them at most 10,000: 160 GB. */
const PART_BYTES = 16 * 1024 * 1024
const PARTS_MAX = 10_000
/** Parts on their way at once; each is in memory. */
const PARTS_AT_ONCE = 3

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/

/**
 * Keeps backups in a bucket of an S3-compatible store, under a prefix of its own, and neither lists nor
 * touches other keys. Files are sent and read in parts, so a file of any size needs little memory.
 */
export class S3Store implements BackupStore {
  readonly place: string
  readonly directory = undefined
  readonly #prefix: string
  readonly #requests: S3Requests
  readonly #partBytes: number

  constructor(
    place: S3Place,
    credentials: S3Credentials,
    { partBytes = PART_BYTES, ...ways }: Ways & { readonly partBytes?: number },
  ) {
    this.place = addressOf(place)
    this.#prefix = place.prefix
    this.#requests = new S3Requests(place, credentials, ways)
    this.#partBytes = partBytes
  }

  pathOf(name: string): string {
    return `${this.place}/${name}`
  }

  async list(beginning = ''): Promise<StoredFile[]> {
    const found = await this.#requests.list(this.#prefix + beginning)
    return found.flatMap(({ key, bytes }) => {
      const name = key.startsWith(this.#prefix) ? key.slice(this.#prefix.length) : ''
      return NAME.test(name) ? [{ name, bytes }] : []
    })
  }

  /** Sends a file. Nobody sees it before it is whole, and its size has been read back. */
  async put(name: string, contents: Bytes): Promise<void> {
    const key = this.#keyOf(name)
    const parts = inParts(contents, this.#partBytes)
    let bytes: number
    try {
      const first = (await parts.next()).value ?? new Uint8Array()
      bytes = first.length
      if (bytes < this.#partBytes) await this.#requests.put(key, first)
      else bytes = await this.#upload(key, first, parts)
    } finally {
      // A failure leaves the rest unread: closes the file, whose room would not be given back otherwise.
      await parts.return(undefined)
    }
    const stored = await this.#requests.bytesOf(key)
    if (stored === bytes) return
    throw new Error(`${this.pathOf(name)} has ${stored ?? 'no'} bytes instead of the ${bytes} that were sent`)
  }

  async putNew(name: string, contents: Uint8Array): Promise<boolean> {
    return this.#requests.putNew(this.#keyOf(name), contents)
  }

  async has(name: string): Promise<boolean> {
    return (await this.#requests.get(this.#keyOf(name), 0, 1)) !== undefined
  }

  async putFile(name: string, path: string): Promise<undefined> {
    await this.put(name, fileContents(path))
  }

  async get(name: string): Promise<Bytes | undefined> {
    const key = this.#keyOf(name)
    const first = await this.#requests.get(key, 0, this.#partBytes)
    return first && this.#read(key, first)
  }

  async delete(name: string): Promise<void> {
    await this.#requests.delete(this.#keyOf(name))
  }

  close(): void {
    this.#requests.close()
  }

  async freeBytes(): Promise<undefined> {
    return undefined
  }

  #keyOf(name: string): string {
    if (NAME.test(name)) return this.#prefix + name
    throw new Error(`${JSON.stringify(name)} is no name of a file in ${this.place}`)
  }

  async *#read(key: string, first: Uint8Array): Bytes {
    let from = 0
    for (let part = first; ; ) {
      if (part.length > 0) yield part
      if (part.length < this.#partBytes) return
      from += part.length
      const next = await this.#requests.get(key, from, this.#partBytes)
      if (next === undefined) throw new Error(`${this.place}/${key} was deleted while it was read`)
      part = next
    }
  }

  async #upload(key: string, first: Uint8Array, rest: AsyncIterator<Uint8Array>): Promise<number> {
    const upload = await this.#requests.beginUpload(key)
    try {
      const { parts, bytes } = await this.#putParts(upload, first, rest)
      await this.#requests.endUpload(upload, parts)
      return bytes
    } catch (error) {
      await this.#requests.abortUpload(upload)
      throw error
    }
  }

  async #putParts(
    upload: Upload,
    first: Uint8Array,
    rest: AsyncIterator<Uint8Array>,
  ): Promise<{ readonly parts: UploadedPart[]; readonly bytes: number }> {
    const parts: UploadedPart[] = []
    let bytes = 0
    for (let part: Uint8Array | undefined = first; part !== undefined; ) {
      const some: Uint8Array[] = []
      for (; part !== undefined && some.length < PARTS_AT_ONCE; part = (await rest.next()).value) {
        some.push(part)
        bytes += part.length
      }
      if (parts.length + some.length > PARTS_MAX) {
        throw new Error(`${this.place} takes files of up to ${PARTS_MAX * this.#partBytes} bytes`)
      }
      // All of them end before the next ones are read, so no failure goes unheard.
      const put = some.map((it, n) => this.#requests.putPart(upload, parts.length + n + 1, it))
      for (const done of await allOf(put)) parts.push(done)
    }
    return { parts, bytes }
  }
}

/** Waits for all, also if one fails. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

/** Cuts contents into parts of this size; the last one is shorter. */
async function* inParts(contents: Bytes, bytes: number): AsyncGenerator<Uint8Array, undefined> {
  let part = new Uint8Array(bytes)
  let length = 0
  for await (const chunk of contents) {
    for (let from = 0; from < chunk.length; ) {
      const taken = chunk.subarray(from, from + bytes - length)
      part.set(taken, length)
      from += taken.length
      length += taken.length
      if (length < bytes) continue
      yield part
      part = new Uint8Array(bytes)
      length = 0
    }
  }
  if (length > 0) yield part.subarray(0, length)
  return undefined
}
