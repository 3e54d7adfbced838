import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from './accepted.js'

/** The default, 11, takes a hundred times as long for a few bytes fewer. */
const BROTLI_QUALITY = 4
/** Leaves one core to the orders, however many clients request compressed answers. */
const COMPRESSING_MAX = Math.max(1, availableParallelism() - 1)

const brotliBytes = promisify(brotliCompress)
const gzipBytes = promisify(gzip)

let compressing = 0

/** A text to send, perhaps more than once. Each encoding is made once, on demand. */
export class KeptText {
  readonly text: string
  #bytes: Uint8Array<ArrayBuffer> | undefined
  readonly #encoded = new Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>()

  constructor(text: string) {
    this.text = text
  }

  /** The text in UTF-8: encoding a megabyte for each client would take milliseconds of the main thread. */
  get bytes(): Uint8Array<ArrayBuffer> {
    this.#bytes ??= new TextEncoder().encode(this.text)
    return this.#bytes
  }

  /** Returns the text in an encoding; undefined while the maximum number of others are being compressed. */
  encoded(encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> | undefined {
    const known = this.#encoded.get(encoding)
    if (known !== undefined || compressing >= COMPRESSING_MAX) return known
    const made = compress(this.text, encoding)
    this.#encoded.set(encoding, made)
    return made
  }
}

async function compress(text: string, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  compressing++
  try {
    if (encoding === 'gzip') return await gzipBytes(text)
    const bytes = Buffer.from(text)
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    }
    return await brotliBytes(bytes, { params })
  } finally {
    compressing--
  }
}
