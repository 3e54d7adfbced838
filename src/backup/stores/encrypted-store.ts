import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { BackupStore, Bytes, StoredFile } from '../backup-store.js'
import type { Identity, Recipient } from '../encryption/age-keys.js'
import type { EncryptTask } from '../encryption/encrypt-thread.js'
import { encryptInThread } from '../encryption/encrypt-thread.js'
import type { EncryptedFile } from '../encryption/encrypted-file.js'

/** Behind the names of encrypted files; manifests are never encrypted. */
const SUFFIX = '.age'
const KEY_ID_LENGTH = 8

/** The public keys to which files are encrypted, and the secret keys that this process reads them with. */
export interface StoreKeys {
  readonly recipients: readonly Recipient[]
  readonly identities: readonly Identity[]
}

/**
 * Encrypts the files of another store, and shows them under their plain names. With no recipients it stores
 * files as they are; those that were encrypted earlier are listed all the same, and read with an identity.
 */
export class EncryptedStore implements BackupStore {
  readonly #inner: BackupStore
  readonly #keys: StoreKeys
  readonly #encrypt: (task: EncryptTask) => Promise<EncryptedFile>

  constructor(inner: BackupStore, keys: StoreKeys, encrypt = encryptInThread) {
    this.#inner = inner
    this.#keys = keys
    this.#encrypt = encrypt
  }

  /** None if files are encrypted, which are never made in the store itself. */
  get directory(): string | undefined {
    return this.#keys.recipients.length === 0 ? this.#inner.directory : undefined
  }

  get fills(): string | undefined {
    return this.#inner.fills
  }

  get isSealed(): boolean {
    const { recipients, identities } = this.#keys
    return recipients.length > 0 && identities.length === 0
  }

  get keyId(): string | undefined {
    const { recipients } = this.#keys
    if (recipients.length === 0) return undefined
    const keys = [...new Set(recipients)].sort().join(',')
    return createHash('sha256').update(keys).digest('hex').slice(0, KEY_ID_LENGTH)
  }

  get place(): string {
    return this.#inner.place
  }

  pathOf(name: string): string {
    return this.#inner.pathOf(name)
  }

  async list(beginning?: string): Promise<StoredFile[]> {
    const found = new Map<string, StoredFile>()
    for (const { name, bytes } of await this.#inner.list(beginning)) {
      const isEncrypted = name.endsWith(SUFFIX)
      const plain = isEncrypted ? name.slice(0, -SUFFIX.length) : name
      // As `get` does, which reads the plain one of two.
      if (!isEncrypted || !found.has(plain)) found.set(plain, { name: plain, bytes })
    }
    return [...found.values()]
  }

  put(name: string, contents: Bytes): Promise<void> {
    return this.#inner.put(name, contents)
  }

  async putNew(name: string, contents: Uint8Array): Promise<boolean> {
    if (this.#inner.putNew === undefined) throw new Error(`${this.place} keeps backups only`)
    return this.#inner.putNew(name, contents)
  }

  async has(name: string): Promise<boolean> {
    if (this.#inner.has === undefined) throw new Error(`${this.place} keeps backups only`)
    return this.#inner.has(name)
  }

  async putFile(name: string, path: string): Promise<EncryptedFile | undefined> {
    const { recipients } = this.#keys
    if (recipients.length === 0) return this.#inner.putFile(name, path)
    const target = `${path}${SUFFIX}`
    try {
      const made = await this.#encrypt({ source: path, target, recipients })
      await this.#inner.putFile(name + SUFFIX, target)
      return made
    } finally {
      rmSync(target, { force: true })
    }
  }

  async get(name: string): Promise<Bytes | undefined> {
    const plain = await this.#inner.get(name)
    if (plain !== undefined) return plain
    const contents = await this.#inner.get(name + SUFFIX)
    return contents && this.#opened(name + SUFFIX, contents)
  }

  async getStored(name: string): Promise<Bytes | undefined> {
    return (await this.#inner.get(name)) ?? this.#inner.get(name + SUFFIX)
  }

  async delete(name: string): Promise<void> {
    await this.#inner.delete(name + SUFFIX)
    await this.#inner.delete(name)
  }

  async clearUnfinished(now: number): Promise<void> {
    await this.#inner.clearUnfinished?.(now)
  }

  close(): void {
    this.#inner.close?.()
  }

  freeBytes(): Promise<number | undefined> {
    return this.#inner.freeBytes()
  }

  async *#opened(name: string, contents: Bytes): Bytes {
    const { identities } = this.#keys
    const path = this.#inner.pathOf(name)
    if (identities.length === 0) throw new Error(`${path} is encrypted: give your key with --identity <file>`)
    let fault: unknown
    async function* watched(): Bytes {
      try {
        yield* contents
      } catch (error) {
        fault = error
        throw error
      }
    }
    const { decrypted } = await import('../encryption/age-streams.js')
    try {
      yield* await decrypted(watched(), identities)
    } catch (error) {
      if (fault !== undefined) throw fault
      const isOthers = error instanceof Error && /no identity matched/.test(error.message)
      const reason = isOthers ? 'it was encrypted for other keys' : 'it is cut off or damaged'
      throw new Error(`${path} cannot be opened: ${reason}`)
    }
  }
}
