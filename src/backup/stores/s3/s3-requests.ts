import { S3mini } from 's3mini'
import { faultOf, S3Fault } from './s3-fault.js'
import type { S3Credentials, S3Place } from './s3-place.js'

/** An upload in parts. */
export interface Upload {
  readonly key: string
  readonly id: string
}

export type UploadedPart = Awaited<ReturnType<S3mini['uploadPart']>>

const ATTEMPTS_MAX = 4
const RETRY_AFTER_MS = 1000
/** The answers to a conditional put that did not store anything. */
const TAKEN: readonly number[] = [304, 409, 412]
/** For a request of a few bytes, and for one with a part of a file: 16 MB at half a megabit a second. */
const TIMEOUT_MS = 30_000
const PART_TIMEOUT_MS = 300_000

/** The clock, and how time passes between two attempts. */
export interface Ways {
  readonly now: () => number
  readonly wait: (ms: number) => Promise<unknown>
}

/**
 * Sends the requests of a store: each is signed, has a timeout, and is tried again a few times if the network
 * or the store fails. Throws S3Fault. No request carries more than a part of a file.
 */
export class S3Requests {
  readonly #place: S3Place
  readonly #client: S3mini
  readonly #ways: Ways
  readonly #closing = new AbortController()
  #clockMs: number | undefined

  constructor(place: S3Place, { keyId, secret }: S3Credentials, ways: Ways) {
    this.#place = place
    this.#ways = ways
    this.#client = new S3mini({
      accessKeyId: keyId,
      secretAccessKey: secret,
      endpoint: `${place.endpoint.replace(/\/+$/, '')}/${place.bucket}`,
      region: place.region,
      fetch: (input, init) => this.#fetch(input, init),
    })
  }

  /** Aborts requests under way, and refuses further ones. */
  close(): void {
    this.#closing.abort()
  }

  /** Lists the keys with this beginning, but not those in folders below it. */
  async list(prefix: string): Promise<{ readonly key: string; readonly bytes: number }[]> {
    const found = await this.#send(() => this.#client.listObjects('/', prefix, undefined, { delimiter: '/' }))
    if (found === null) throw faultOf(this.#place, { status: 404, serviceCode: 'NoSuchBucket' }, undefined)
    return found.map(({ Key, Size }) => ({ key: Key, bytes: Size })).filter(({ key }) => !key.endsWith('/'))
  }

  async put(key: string, contents: Uint8Array): Promise<void> {
    await this.#send(() => this.#client.putObject(key, contents))
  }

  /**
   * Stores a file unless there is one of this name. False if there is, which may be one's own of an attempt
   * whose answer was lost; some stores say 409 to two at the same time, and one has said 304.
   */
  async putNew(key: string, contents: Uint8Array): Promise<boolean> {
    const condition = { 'if-none-match': '*' } as Parameters<S3mini['putObject']>[4]
    try {
      await this.#send(() => this.#client.putObject(key, contents, undefined, undefined, condition))
      return true
    } catch (error) {
      if (error instanceof S3Fault && TAKEN.includes(error.status ?? 0)) return false
      throw error
    }
  }

  async beginUpload(key: string): Promise<Upload> {
    return { key, id: await this.#send(() => this.#client.getMultipartUploadId(key)) }
  }

  async putPart({ key, id }: Upload, number: number, contents: Uint8Array): Promise<UploadedPart> {
    return this.#send(() => this.#client.uploadPart(key, id, contents, number))
  }

  /** Makes a file of its parts. The store may say that it did and yet have failed: see `bytesOf`. */
  async endUpload({ key, id }: Upload, parts: UploadedPart[]): Promise<void> {
    try {
      await this.#send(() => this.#client.completeMultipartUpload(key, id, parts))
    } catch (error) {
      // An earlier attempt ended the upload, and only its answer was lost.
      if (!(error instanceof S3Fault) || error.code !== 'NoSuchUpload') throw error
    }
  }

  /** Gives up an upload; if this fails, too, the store keeps parts that nobody sees. */
  async abortUpload({ key, id }: Upload): Promise<void> {
    await this.#client.abortMultipartUpload(key, id).catch(() => undefined)
  }

  /** Returns the size of a file; undefined if there is none. */
  async bytesOf(key: string): Promise<number | undefined> {
    // Not by a HEAD request, whose refusals have no reason.
    return (await this.list(key)).find(found => found.key === key)?.bytes
  }

  /** Reads a part of a file, which is shorter at its end; undefined if there is no such file. */
  async get(key: string, from: number, bytesMax: number): Promise<Uint8Array | undefined> {
    try {
      return await this.#send(async () => {
        const answer = await this.#client.getObjectRaw(key, false, from, from + bytesMax)
        if (answer.status === 206) return new Uint8Array(await answer.arrayBuffer())
        await answer.body?.cancel()
        throw new S3Fault(`${this.#place.endpoint} sends no parts of files (Range)`, answer.status)
      })
    } catch (error) {
      if (!(error instanceof S3Fault)) throw error
      if (error.status === 416) return new Uint8Array()
      if (error.status === 404 && error.code !== 'NoSuchBucket') return undefined
      throw error
    }
  }

  async delete(key: string): Promise<void> {
    await this.#send(() => this.#client.deleteObject(key))
  }

  async #send<T>(request: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await request()
      } catch (error) {
        if (this.#closing.signal.aborted) throw new S3Fault('the exchange stops, and so does the transfer')
        const fault = error instanceof S3Fault ? error : faultOf(this.#place, error, this.#clockMs)
        if (!fault.isPassing || attempt === ATTEMPTS_MAX) throw fault
        await this.#ways.wait(RETRY_AFTER_MS * 2 ** (attempt - 1))
      }
    }
  }

  /** Adds the timeout, follows no redirect, and notes how far the two clocks are apart. */
  async #fetch(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
    const { method, headers } = init
    const isPart = method === 'PUT' || 'range' in ((headers ?? {}) as Record<string, string>)
    const timeout = AbortSignal.timeout(isPart ? PART_TIMEOUT_MS : TIMEOUT_MS)
    const signal = AbortSignal.any([timeout, this.#closing.signal])
    const answer = await fetch(input, { ...init, redirect: 'manual', signal })
    const theirs = Date.parse(answer.headers.get('date') ?? '')
    this.#clockMs = Number.isNaN(theirs) ? undefined : this.#ways.now() - theirs
    return answer
  }
}
