import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { By } from '../../core/command.js'
import { EXTERNAL } from '../../core/ledger.js'
import type { Sequence, TimeMs } from '../../core/units.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import { clearPartials, copyTo } from '../../store/files/backup-file.js'
import { fileBytes } from '../../store/files/file-bytes.js'
import { ROOM_LIMITS } from '../../store/room-state.js'
import type { Desk } from '../desk.js'
import { signed } from '../send-to-market.js'
import type { Sources } from '../sources.js'
import { copyInThread } from './backup-thread.js'

/** A copy of the exchange's file that is whole. */
export interface Backup {
  readonly file: string
  readonly bytes: number
  readonly at: TimeMs
}

/** The same as it has just been made, with the last batch in it. */
export interface MadeBackup extends Backup {
  readonly sequence: Sequence
}

/** The reason is for the operator. Nothing of the copy is left. */
export interface FailedBackup {
  readonly failed: string
}

/** So many are listed, the newest ones; the directory is the operator's to tidy. */
const LISTED_MAX = 1000
/** ISO 8601 in its basic form: a colon is no part of a file's name everywhere. */
const NAME = /^raay-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z\.db$/

/** Makes copies of the exchange's file, one at a time, while the exchange goes on. */
export class Backups {
  readonly #file: string
  readonly #desk: Desk
  readonly #directory: string
  readonly #shards: ShardPool
  readonly #sources: Sources
  readonly #copy: typeof copyInThread
  #underWay: Promise<unknown> | undefined

  /** @param threads whether a copy is made in a thread of its own */
  constructor(file: string, desk: Desk, shards: ShardPool, sources: Sources, threads: boolean) {
    this.#file = file
    this.#desk = desk
    this.#directory = join(dirname(file), 'backups')
    this.#shards = shards
    this.#sources = sources
    this.#copy = threads ? copyInThread : async (from, target) => copyTo(from, target)
    clearPartials(this.#directory)
  }

  /** Answers when the copy is on the platter and noted in the journal. */
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

  /** Those that are whole, newest first. */
  async list(): Promise<Backup[]> {
    const names = (await namesIn(this.#directory)).filter(name => NAME.test(name))
    const newest = names.sort().reverse().slice(0, LISTED_MAX)
    return Promise.all(newest.map(name => this.#look(name)))
  }

  /** The newest one. */
  async last(): Promise<Backup | undefined> {
    const names = (await namesIn(this.#directory)).filter(name => NAME.test(name))
    const newest = names.sort().at(-1)
    return newest === undefined ? undefined : this.#look(newest)
  }

  /** Waits for the one that is being made. */
  async close(): Promise<void> {
    await this.#underWay
  }

  /** A copy that filled the disk would take the exchange down. */
  async #makeWhereRoom(by: By | undefined): Promise<MadeBackup | FailedBackup | 'disk_low'> {
    const { database, wal } = await fileBytes(this.#file)
    const { state, freeBytes } = this.#desk.room
    return state === 'ok' && freeBytes >= database + wal + ROOM_LIMITS.lowBytes ? this.#make(by) : 'disk_low'
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
      return { failed: error instanceof Error ? error.message : String(error) }
    }
  }

  async #look(name: string): Promise<Backup> {
    const file = join(this.#directory, name)
    const iso = name.replace(NAME, '$1-$2-$3T$4:$5:$6Z')
    return { file, bytes: (await stat(file)).size, at: Date.parse(iso) as TimeMs }
  }
}

/** No directory: no backup was made yet. */
async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
