import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, rmSync } from 'node:fs'
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { freeBytesIn } from '../../store/disk-room.js'
import { createPrivateDirectory, createPrivateFile } from '../../store/files/private-files.js'
import { syncPath } from '../../store/files/sync-path.js'
import type { BackupStore, Bytes, StoredFile } from '../backup-store.js'
import { fileContents } from './file-contents.js'

/** The suffix of a file that is being written. */
const PARTIAL = '.partial'
/** The names of unfinished files, with those that SQLite has beside them. */
const UNFINISHED = /^(?:raay-\d{8}T|archive[-.]|journal-\d).*\.partial(?:-journal|-wal|-shm)?$/
/** Unfinished files that nobody has written for this long are deleted; a fresh one may be in use. */
const UNFINISHED_MS = 24 * 3_600_000

interface DirectoryOptions {
  /** A directory that is missing is an error, and is not created: its disk may not be mounted. */
  readonly mustExist?: boolean
}

/** Keeps backups in a directory, readable by its owner only. It is created with the first file. */
export class DirectoryStore implements BackupStore {
  static #writers = 0
  readonly directory: string
  readonly #mustExist: boolean

  constructor(directory: string, { mustExist = false }: DirectoryOptions = {}) {
    this.directory = resolve(directory)
    this.#mustExist = mustExist
  }

  get place(): string {
    return this.directory
  }

  get fills(): string {
    return this.directory
  }

  pathOf(name: string): string {
    return join(this.directory, name)
  }

  async list(beginning = ''): Promise<StoredFile[]> {
    const names = (await this.#found(readdir(this.directory))) ?? []
    const files = await Promise.all(
      names
        .filter(name => name.startsWith(beginning) && !name.endsWith(PARTIAL))
        .map(async name => {
          const found = await unlessMissing(stat(this.pathOf(name)))
          return found?.isFile() === true ? [{ name, bytes: found.size }] : []
        }),
    )
    return files.flat()
  }

  async put(name: string, contents: Bytes): Promise<void> {
    await this.#write(name, contents, rename)
    syncPath(this.directory)
  }

  /** Links the complete file to its name, which fails if the name is taken. */
  async putNew(name: string, contents: Uint8Array): Promise<boolean> {
    let isNew = true
    await this.#write(name, Readable.from([contents]), async (partial, target) => {
      isNew = await linked(partial, target)
      await rm(partial)
    })
    // Also of the one that is there: its writer may have been killed before it did.
    syncPath(this.directory)
    return isNew
  }

  async has(name: string): Promise<boolean> {
    return (await this.#found(stat(this.pathOf(name)))) !== undefined
  }

  async putFile(name: string, path: string): Promise<undefined> {
    await this.put(name, fileContents(path))
  }

  async get(name: string): Promise<Bytes | undefined> {
    const stream = createReadStream(this.pathOf(name))
    return this.#found(once(stream, 'open').then(() => stream))
  }

  async delete(name: string): Promise<void> {
    const removed = rm(this.pathOf(name)).then(() => true)
    // A power cut must not bring back what others have been told to be gone.
    if ((await unlessMissing(removed)) === true) await synced(this.directory)
  }

  async clearUnfinished(now: number): Promise<void> {
    if (this.#mustExist) this.#assertThere()
    // What cannot be read or deleted is not worth the backup that is to be made.
    const names = await readdir(this.directory).catch(() => [])
    for (const name of names.filter(name => UNFINISHED.test(name))) {
      const found = await unlessMissing(stat(this.pathOf(name)))
      const isOld = found?.isFile() === true && found.mtimeMs < now - UNFINISHED_MS
      if (isOld) await this.delete(name).catch(() => undefined)
    }
  }

  /** Writes a file under another name, durably, then has it placed. */
  async #write(
    name: string,
    contents: Bytes,
    place: (partial: string, target: string) => Promise<void>,
  ): Promise<void> {
    const target = this.pathOf(name)
    // Several may write one file at once: the exchange and `raay backup verify` record what they found.
    const partial = `${target}.${process.pid}-${++DirectoryStore.#writers}${PARTIAL}`
    if (this.#mustExist) this.#assertThere()
    else createPrivateDirectory(this.directory)
    // One of a killed process that had the same number, as each has in a container, may be longer.
    rmSync(partial, { force: true })
    createPrivateFile(partial)
    try {
      await pipeline(Readable.from(contents), createWriteStream(partial, { flags: 'r+' }))
      syncPath(partial)
      await place(partial, target)
    } catch (error) {
      rmSync(partial, { force: true })
      throw error
    }
  }

  /** Returns undefined for a file that is missing. Throws if its directory is, and must not. */
  async #found<Found>(found: Promise<Found>): Promise<Found | undefined> {
    const file = await unlessMissing(found)
    if (file === undefined && this.#mustExist) this.#assertThere()
    return file
  }

  #assertThere(): void {
    if (!existsSync(this.directory)) {
      throw new Error(`${this.directory} is not there: mount its disk, or create the directory`)
    }
  }

  async freeBytes(): Promise<number> {
    let path = this.directory
    while (!existsSync(path)) path = dirname(path)
    return freeBytesIn(path)
  }
}

/** Gives a file a second name; returns false if that is taken. */
async function linked(file: string, name: string): Promise<boolean> {
  try {
    await link(file, name)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function synced(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function unlessMissing<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
