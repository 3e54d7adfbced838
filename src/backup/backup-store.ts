import type { EncryptedFile } from './encryption/encrypted-file.js'

/** A file in a store. */
export interface StoredFile {
  /** A plain name: no store has folders. */
  readonly name: string
  readonly bytes: number
}

export type Bytes = AsyncIterable<Uint8Array>

/**
 * A place in which backups are kept: files with plain names, each written whole or not at all. Errors of the
 * place, such as a full disk or a refused connection, are thrown with a message for the operator.
 */
export interface BackupStore {
  /** The directory or URL of the store, for messages. */
  readonly place: string

  /**
   * The directory of the store, if it is one of this machine: complete files may be moved there under their
   * final names, and examined in place. Otherwise files are made elsewhere, then `put`.
   */
  readonly directory: string | undefined

  /** The directory on this machine that the store fills, also where files are made elsewhere. */
  readonly fills?: string | undefined

  /** True if this process cannot read what it stores: it is encrypted to keys of others. */
  readonly isSealed?: boolean

  /** Names the keys to which it encrypts, the same for the same keys; undefined if it does not encrypt. */
  readonly keyId?: string | undefined

  /** Returns where a file is, for messages. */
  pathOf(name: string): string

  /** Lists all files, or those whose names begin with a text, in no order; none if nothing was stored yet. */
  list(beginning?: string): Promise<readonly StoredFile[]>

  /**
   * Stores a file, replacing one of this name. Resolves when it is durable; a reader sees the whole file or
   * the one before, and a failed `put` leaves nothing new.
   */
  put(name: string, contents: Bytes): Promise<void>

  /** Stores a file of this machine in the same way; returns its encrypted form if it has one. */
  putFile(name: string, path: string): Promise<EncryptedFile | undefined>

  /**
   * Stores a file as it is, unless there is one of this name: false for that, and where the store cannot say.
   * Of several at the same time exactly one succeeds. Missing where nothing is replicated to.
   */
  putNew?(name: string, contents: Uint8Array): Promise<boolean>

  /** Returns whether there is a file of this name, stored as it is. Missing where `putNew` is. */
  has?(name: string): Promise<boolean>

  /** Reads a file from its beginning; undefined if there is none. */
  get(name: string): Promise<Bytes | undefined>

  /** Reads a file as it is stored: still encrypted. Missing where that is what `get` does. */
  getStored?(name: string): Promise<Bytes | undefined>

  /** Deletes a file; does nothing if there is none. */
  delete(name: string): Promise<void>

  /** Deletes unfinished files that nobody has written for a day: their writers were killed. */
  clearUnfinished?(now: number): Promise<void>

  /** Returns how many bytes may still be stored; undefined if the place does not say. */
  freeBytes(): Promise<number | undefined>

  /** Gives up all that waits for a network, so that nothing holds up the end of the process. */
  close?(): void
}
