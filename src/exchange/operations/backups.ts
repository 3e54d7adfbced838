import { dirname, join } from 'node:path'
import { copyExchange } from '../../backup/backup-copy.js'
import type { StoredBackup } from '../../backup/backup-list.js'
import { listBackups } from '../../backup/backup-list.js'
import { filesOf } from '../../backup/backup-name.js'
import type { BackupStore } from '../../backup/backup-store.js'
import type { Copy } from '../../backup/make-backup.js'
import { makeBackup } from '../../backup/make-backup.js'
import type { BackupReason } from '../../backup/manifest.js'
import { DirectoryStore } from '../../backup/stores/directory-store.js'
import type { By } from '../../core/command.js'
import { EXTERNAL } from '../../core/ledger.js'
import type { Sequence } from '../../core/units.js'
import { LateTask } from '../../shard/late-task.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import { accessPath } from '../../store/files/access-path.js'
import { clearPartials } from '../../store/files/backup-file.js'
import { fileBytes, sizeOfFile } from '../../store/files/file-bytes.js'
import { ROOM_LIMITS } from '../../store/room-state.js'
import type { Desk } from '../desk.js'
import type { BackupOptions, ExchangeOptions } from '../exchange-options.js'
import { signed } from '../send-to-market.js'
import type { Sources } from '../sources.js'
import { copyInThread } from './backup-thread.js'

/** A failed backup, which left no file; the reason is for the operator. */
export interface FailedBackup {
  readonly failed: string
}

type Made = StoredBackup | FailedBackup | 'backup_under_way' | 'disk_low'

const FOLDER = 'backups'
/** How long the list of backups may be out of date for the health report. */
const KNOWN_MS = 60_000

/** Copies tables and journal into one file, and accounts beside it, one backup at a time. */
export class Backups {
  readonly store: BackupStore
  readonly #file: string
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #sources: Sources
  readonly #copy: Copy
  readonly #version: string
  #underWay: Promise<unknown> | undefined
  #known: readonly StoredBackup[] = []
  #knownUntil = Number.NEGATIVE_INFINITY

  constructor({ file, sources, threads, backups }: ExchangeOptions, desk: Desk, shards: ShardPool) {
    const { store, version }: Partial<BackupOptions> = backups ?? {}
    this.#file = file
    this.#desk = desk
    this.#shards = shards
    this.#sources = sources
    this.#copy = threads ? copyInThread : copyExchange
    this.#version = version ?? ''
    this.store = store ?? new DirectoryStore(this.#stage)
    clearPartials(this.#stage)
  }

  /** Makes a backup. Resolves when it is durable, with its manifest, and recorded in the journal. */
  async make(reason: BackupReason, by?: By): Promise<Made> {
    if (this.#underWay !== undefined) return 'backup_under_way'
    const made = this.#makeWhereRoom(reason, by)
    this.#underWay = made
    try {
      return await made
    } finally {
      this.#underWay = undefined
    }
  }

  /** Returns the backups in the store, newest first. */
  async list(): Promise<readonly StoredBackup[]> {
    this.#known = await listBackups(this.store)
    this.#knownUntil = this.#sources.watch() + KNOWN_MS
    return this.#known
  }

  /** Returns the newest backup as of the last minute; of earlier if the store does not answer. */
  async last(): Promise<StoredBackup | undefined> {
    if (this.#sources.watch() >= this.#knownUntil) {
      try {
        await this.list()
      } catch {
        this.#knownUntil = this.#sources.watch() + KNOWN_MS
      }
    }
    return this.#known[0]
  }

  /** Waits for a backup in progress. */
  async close(): Promise<void> {
    await this.#underWay
  }

  /** The directory of backups within the data directory. */
  get #stage(): string {
    return join(dirname(this.#file), FOLDER)
  }

  /** Refuses a backup that could fill the disk, which would take the exchange down. */
  async #makeWhereRoom(reason: BackupReason, by: By | undefined): Promise<Made> {
    const { database, wal, journal, journalWal } = await fileBytes(this.#file)
    const { state, freeBytes } = this.#desk.room
    const bytesMax = database + wal + journal + journalWal + sizeOfFile(accessPath(this.#file))
    return state === 'ok' && freeBytes >= bytesMax + ROOM_LIMITS.lowBytes
      ? this.#make(reason, by)
      : 'disk_low'
  }

  async #make(reason: BackupReason, by: By | undefined): Promise<StoredBackup | FailedBackup> {
    const at = this.#sources.now()
    const order = { file: this.#file, stage: this.#stage, reason, version: this.#version, at }
    try {
      const made = await makeBackup(this.store, order, this.#copy)
      const { name, bytes, manifest } = made
      const told = { file: filesOf(name).exchange, bytes, sequence: manifest.sequence as Sequence }
      const signature = by === undefined ? undefined : { ...by, fields: told }
      const id = this.#sources.messageId()
      this.#knownUntil = Number.NEGATIVE_INFINITY
      await this.#shards.submit(EXTERNAL, { type: 'NOTE_BACKUP', id, ...told, ...signed(signature) })
      return made
    } catch (error) {
      if (error instanceof LateTask) throw error
      return { failed: error instanceof Error ? error.message : String(error) }
    }
  }
}
