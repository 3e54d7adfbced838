import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { By } from '../../core/command.js'
import { EXTERNAL } from '../../core/ledger.js'
import type { Sequence, TimeMs } from '../../core/units.js'
import { LateTask } from '../../shard/late-task.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import { accessPath } from '../../store/files/access-path.js'
import { backUp, clearPartials } from '../../store/files/backup-file.js'
import { fileBytes, sizeOfFile } from '../../store/files/file-bytes.js'
import { ROOM_LIMITS } from '../../store/room-state.js'
import type { Desk } from '../desk.js'
import { signed } from '../send-to-market.js'
import type { Sources } from '../sources.js'
import { copyInThread } from './backup-thread.js'

/** A complete backup. */
export interface Backup {
  readonly file: string
  readonly bytes: number
  readonly at: TimeMs
}

/** A backup just made, with the last batch in it. */
export interface MadeBackup extends Backup {
  readonly sequence: Sequence
}

/** A failed backup, which left no file; the reason is for the operator. */
export interface FailedBackup {
  readonly failed: string
}

/** The most backups listed, newest first; the exchange never deletes any. */
const LISTED_MAX = 1000
/** ISO 8601 basic format: some file systems do not allow colons in names. */
const NAME = /^raay-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z\.db$/

/** Copies tables and journal into one file, and accounts beside it, one backup at a time. */
export class Backups {
  readonly #file: string
  readonly #desk: Desk
  readonly #directory: string
  readonly #shards: ShardPool
  readonly #sources: Sources
  readonly #copy: typeof copyInThread
  #underWay: Promise<unknown> | undefined

  /** @param threads whether to copy in a worker thread */
  constructor(file: string, desk: Desk, shards: ShardPool, sources: Sources, threads: boolean) {
    this.#file = file
    this.#desk = desk
    this.#directory = join(dirname(file), 'backups')
    this.#shards = shards
    this.#sources = sources
    this.#copy = threads ? copyInThread : async (from, target) => backUp(from, target)
    clearPartials(this.#directory)
  }

  /** Makes a backup. Resolves when it is synced and recorded in the journal. */
  async make(by?: By): Promise<MadeBackup | FailedBackup | 'backup_under_way' | 'disk_low'> {
    if (this.#underWay !== undefined) return 'backup_under_way'
    const made = this.#makeWhereRoom(by)
    this.#underWay = made
    try {
      return await made
    } finally {
      this.#underWay = undefined
    }
  }

  /** Returns the complete backups, newest first. */
  async list(): Promise<Backup[]> {
    const names = (await namesIn(this.#directory)).filter(name => NAME.test(name))
    const newest = names.sort().reverse().slice(0, LISTED_MAX)
    return Promise.all(newest.map(name => this.#look(name)))
  }

  /** Returns the newest backup. */
  async last(): Promise<Backup | undefined> {
    const names = (await namesIn(this.#directory)).filter(name => NAME.test(name))
    const newest = names.sort().at(-1)
    return newest === undefined ? undefined : this.#look(newest)
  }

  /** Waits for a backup in progress. */
  async close(): Promise<void> {
    await this.#underWay
  }

  /** Refuses a backup that could fill the disk, which would take the exchange down. */
  async #makeWhereRoom(by: By | undefined): Promise<MadeBackup | FailedBackup | 'disk_low'> {
    const { database, wal, journal, journalWal } = await fileBytes(this.#file)
    const { state, freeBytes } = this.#desk.room
    const bytesMax = database + wal + journal + journalWal + sizeOfFile(accessPath(this.#file))
    return state === 'ok' && freeBytes >= bytesMax + ROOM_LIMITS.lowBytes ? this.#make(by) : 'disk_low'
  }

  async #make(by: By | undefined): Promise<MadeBackup | FailedBackup> {
    const at = this.#sources.now()
    const name = `raay-${new Date(at).toISOString().replace(/[-:]/g, '')}.db`
    const file = join(this.#directory, name)
    try {
      const { bytes, sequence } = await this.#copy(this.#file, file)
      const told = { file: name, bytes, sequence }
      const signature = by === undefined ? undefined : { ...by, fields: told }
      const id = this.#sources.messageId()
      await this.#shards.submit(EXTERNAL, { type: 'NOTE_BACKUP', id, ...told, ...signed(signature) })
      return { file, bytes, at, sequence }
    } catch (error) {
      if (error instanceof LateTask) throw error
      return { failed: error instanceof Error ? error.message : String(error) }
    }
  }

  async #look(name: string): Promise<Backup> {
    const file = join(this.#directory, name)
    const iso = name.replace(NAME, '$1-$2-$3T$4:$5:$6Z')
    return { file, bytes: (await stat(file)).size, at: Date.parse(iso) as TimeMs }
  }
}

/** Returns no names if the directory does not exist: no backup was made yet. */
async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
