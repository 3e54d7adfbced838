import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { secretBytes } from '../access/secrets.js'
import { WEBHOOK_KEY_FILE } from '../store/files/credential-files.js'
import { writePrivateFile } from '../store/files/private-files.js'
import { syncPath } from '../store/files/sync-path.js'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const FINGERPRINT_LENGTH = 12

/** A part of an endpoint that is encrypted; a sealed text is of one endpoint and one part. */
export type SealedPart = 'address' | 'secret'

/**
 * Encrypts addresses and secrets of endpoints, with a key in a file of the data directory that is in no
 * backup. The file is made with the first endpoint.
 */
export class Sealing {
  readonly #directory: string
  #key: Buffer | undefined

  constructor(directory: string) {
    this.#directory = directory
  }

  seal(webhook: string, part: SealedPart, text: string): Buffer {
    const nonce = secretBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#madeKey(), nonce).setAAD(aboutOf(webhook, part))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  /** Returns what was sealed; undefined if it was by another key, for another endpoint, or is damaged. */
  open(webhook: string, part: SealedPart, sealed: Uint8Array): string | undefined {
    const key = this.#readKey()
    if (key === undefined) return undefined
    const bytes = Buffer.from(sealed)
    const [nonce, tag] = [
      bytes.subarray(0, NONCE_BYTES),
      bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
    ]
    try {
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(aboutOf(webhook, part)).setAuthTag(tag)
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }

  /** Returns a text that tells an address from others, and from which nobody without the key can guess it. */
  fingerprint(address: string): string {
    return createHmac('sha256', this.#madeKey()).update(address).digest('hex').slice(0, FINGERPRINT_LENGTH)
  }

  get #path(): string {
    return join(this.#directory, WEBHOOK_KEY_FILE)
  }

  #madeKey(): Buffer {
    const found = this.#readKey()
    if (found !== undefined) return found
    const unfinished = `${this.#path}.new`
    const key = secretBytes(KEY_BYTES)
    rmSync(unfinished, { force: true })
    writePrivateFile(unfinished, `${key.toString('base64')}\n`)
    renameSync(unfinished, this.#path)
    syncPath(this.#directory)
    this.#key = key
    return key
  }

  /** Throws if the file contains no key: it must not be replaced by mistake. */
  #readKey(): Buffer | undefined {
    if (this.#key !== undefined || !existsSync(this.#path)) return this.#key
    const key = Buffer.from(readFileSync(this.#path, 'utf8').trim(), 'base64')
    if (key.length !== KEY_BYTES) {
      throw new Error(
        `${this.#path} does not contain a key: put it back, or delete it and enter addresses again`,
      )
    }
    this.#key = key
    return key
  }
}

function aboutOf(webhook: string, part: SealedPart): Buffer {
  return Buffer.from(`${webhook} ${part}`)
}
