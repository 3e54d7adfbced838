import { dirname, join } from 'node:path'
import type { CopyFacts } from '../../backup/backup-copy.js'
import { copyExchange } from '../../backup/backup-copy.js'
import type { StoredBackup } from '../../backup/backup-list.js'
import { listBackups } from '../../backup/backup-list.js'
import type { BackupName } from '../../backup/backup-name.js'
import { filesOf, readBackupName } from '../../backup/backup-name.js'
import { hasRoomFor } from '../../backup/backup-room.js'
import type { BackupStore } from '../../backup/backup-store.js'
import type { Examination } from '../../backup/examination.js'
import { examineCopy } from '../../backup/examination.js'
import type { KeepRules } from '../../backup/keep-rules.js'
import type { Copy, FinishedBackup } from '../../backup/make-backup.js'
import { makeBackup } from '../../backup/make-backup.js'
import { clearKilled } from '../../backup/making-note.js'
import type { BackupReason } from '../../backup/manifest.js'
import { OwnBatches } from '../../backup/own-batches.js'
import { pruneBackups } from '../../backup/prune-backups.js'
import { clearStage, STAGING } from '../../backup/stage-folder.js'
import { DirectoryStore } from '../../backup/stores/directory-store.js'
import type { By } from '../../core/command.js'
import { EXTERNAL } from '../../core/ledger.js'
import type { Sequence } from '../../core/units.js'
import { LateTask } from '../../shard/late-task.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import { WorkerThread } from '../../shard/worker-thread.js'
import { clearPartials } from '../../store/files/backup-file.js'
import { IdFile, idText } from '../../store/files/id-file.js'
import type { Desk } from '../desk.js'
import type { ExchangeOptions } from '../exchange-options.js'
import { signed } from '../send-to-market.js'
import type { Sources } from '../sources.js'
import type { Checked } from './backup-checks.js'
import { BackupChecks } from './backup-checks.js'
import { BackupNewest } from './backup-newest.js'
import type { BackupNews } from './backup-news.js'
import type { BackupTask } from './backup-worker.js'

const COPY_ENTRY = new URL('./backup-worker.js', import.meta.url)
/** Some hundred gigabytes. */
const COPY_TIMEOUT_MS = 3_600_000

/** A failed backup, which left no file; the reason is for the operator. */
export interface FailedBackup {
  readonly failed: string
}

type BackupOutcome = FinishedBackup | FailedBackup | 'backup_under_way' | 'disk_low'

const FOLDER = 'backups'
/** How long a stop waits for a backup, once everything else is on the disk. */
const CLOSE_WITHIN_MS = 20_000

/** Makes backups of the running exchange, one at a time, and verifies each in the background. */
export class Backups {
  readonly store: BackupStore
  /** The newest backups, for the health report. */
  readonly newest: BackupNewest
  readonly #checks: BackupChecks
  readonly #examine: (copy: string, signal: AbortSignal) => Promise<Examination>
  readonly #verifies: boolean
  readonly #told: (news: BackupNews) => void
  readonly #file: string
  readonly #exchange: string
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #sources: Sources
  readonly #copy: Copy
  readonly #version: string
  readonly #closeWithinMs: number
  /** Resolves once what a killed process left has been deleted, or could not be. */
  readonly #cleared: Promise<unknown>
  #underWay: Promise<unknown> | undefined
  #isStopping = false
  #isAbandoned = false

  constructor({ file, sources, threads, backups }: ExchangeOptions, desk: Desk, shards: ShardPool) {
    this.#file = file
    this.#exchange = idText(new IdFile(file).read() ?? 0)
    this.#desk = desk
    this.#shards = shards
    this.#sources = sources
    this.#copy = threads ? copyInThread : copyExchange
    this.#version = backups?.version ?? ''
    this.#closeWithinMs = backups?.closeWithinMs ?? CLOSE_WITHIN_MS
    this.#verifies = backups?.examine !== undefined
    this.#examine = backups?.examine ?? (copy => examineCopy(copy))
    this.store = backups?.store ?? new DirectoryStore(join(dirname(file), FOLDER))
    this.newest = new BackupNewest(this.store, this.#exchange, () => sources.watch())
    this.#told = news => {
      this.newest.note(news, sources.now())
      backups?.told?.(news)
    }
    const [stage, now, examine] = [this.#stage, () => sources.now(), this.#examine]
    const checked = (name: BackupName, result: Checked) =>
      this.#told({ kind: 'verified', name, checked: result })
    this.#checks = new BackupChecks({ store: this.store, stage, now, examine, checked })
    clearPartials(join(dirname(file), FOLDER))
    clearStage(this.#stage)
    this.#cleared = clearKilled(this.#stage, this.store).catch(() => undefined)
  }

  /** The backup that is being verified. */
  get verifying(): BackupName | undefined {
    return this.#checks.running
  }

  /**
   * Makes a backup. Resolves when it is durable, with its manifest, and recorded in the journal; it is
   * verified afterwards.
   */
  async make(reason: BackupReason, by?: By): Promise<BackupOutcome> {
    this.#desk.assertLeads()
    if (this.#underWay !== undefined) return 'backup_under_way'
    if (this.#isStopping) return { failed: 'the exchange is stopping' }
    const made = this.#makeWhereRoom(reason, by)
    this.#underWay = made
    try {
      return await made
    } finally {
      this.#underWay = undefined
    }
  }

  /** Returns the backups in the store, newest first. */
  list(): Promise<readonly StoredBackup[]> {
    return listBackups(this.store)
  }

  /** Finds a backup by its name as a client wrote it. */
  async find(text: string): Promise<StoredBackup | undefined> {
    const name = readBackupName(text)
    return name === text ? (await this.list()).find(backup => backup.name === name) : undefined
  }

  /** Verifies a backup once those before it are done. */
  verify(name: BackupName): Promise<Checked> {
    return this.#checks.verify(name)
  }

  /** Deletes the scheduled backups of this exchange that the rules do not keep. */
  async prune(rules: KeepRules): Promise<readonly StoredBackup[]> {
    const now = this.#sources.now()
    const own = new OwnBatches(this.#file)
    const options = { rules, all: false, dryRun: false, now, exchange: this.#exchange, own }
    const pruned = await pruneBackups(this.store, options).finally(() => own.close())
    if (pruned.length > 0) this.#told({ kind: 'pruned', names: pruned.map(({ name }) => name) })
    return pruned
  }

  /** Begins nothing more, and gives up verifications and what waits for a network. */
  stop(): void {
    this.#isStopping = true
    this.store.close?.()
    this.#checks.stop()
  }

  /**
   * Waits for a backup in progress, but not for long. One that does not end is abandoned: it has no manifest,
   * and the next start deletes its files.
   */
  async close(): Promise<void> {
    this.stop()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>(resolve => {
      timer = setTimeout(() => resolve('late'), this.#closeWithinMs)
    })
    const ended = await Promise.race([
      late,
      Promise.allSettled([this.#cleared, this.#underWay, this.#checks.close()]),
    ])
    clearTimeout(timer)
    if (ended !== 'late') return
    this.#isAbandoned = true
    if (this.#underWay !== undefined) this.#failed('the exchange stopped before it was complete')
  }

  /** True once `close` has left a backup or a verification behind that has not ended. */
  get isAbandoned(): boolean {
    return this.#isAbandoned
  }

  /** The directory within the data directory in which copies wait that are stored elsewhere, or encrypted. */
  get #stage(): string {
    return join(dirname(this.#file), STAGING)
  }

  /** Refuses a backup that could fill the disk, which would take the exchange down. */
  async #makeWhereRoom(reason: BackupReason, by: By | undefined): Promise<BackupOutcome> {
    // What is deleted makes room.
    await this.#cleared
    try {
      if (await hasRoomFor(reason, this.#file, this.store, this.#desk.room))
        return await this.#make(reason, by)
    } catch (error) {
      if (error instanceof LateTask) throw error
      return this.#failed(error instanceof Error ? error.message : String(error))
    }
    this.#failed('there is too little room on the disk')
    return 'disk_low'
  }

  async #make(reason: BackupReason, by: By | undefined): Promise<FinishedBackup> {
    const at = this.#sources.now()
    const examineFirst = (copy: string) => this.#examine(copy, this.#checks.signal)
    const examine = this.#verifies && this.store.isSealed ? examineFirst : undefined
    const order = { file: this.#file, stage: this.#stage, reason, version: this.#version, at, examine }
    const made = await makeBackup(this.store, order, this.#copy)
    const { name, bytes, manifest } = made
    const told = { file: filesOf(name).exchange, bytes, sequence: manifest.sequence as Sequence }
    const signature = by === undefined ? undefined : { ...by, fields: told }
    const id = this.#sources.messageId()
    this.#told({ kind: 'made', backup: made })
    // The journal is sealed by then; the next start finds the backup in the store, and verifies it.
    if (this.#isStopping) return made
    await this.#shards.submit(EXTERNAL, { type: 'NOTE_BACKUP', id, ...told, ...signed(signature) })
    if (this.#verifies && !this.store.isSealed) void this.verify(name)
    return made
  }

  #failed(reason: string): FailedBackup {
    this.#told({ kind: 'failed', reason })
    return { failed: reason }
  }
}

/** Copies a file in a short-lived worker thread. Rejects if the copy fails. */
async function copyInThread(file: string, target: string): Promise<CopyFacts> {
  // If the thread dies, only the copy fails: the task is rejected.
  const thread = new WorkerThread<BackupTask, CopyFacts>('backup', COPY_ENTRY, {
    workerData: {},
    died: () => {},
  })
  try {
    return await thread.run({ file, target }, { timeoutMs: COPY_TIMEOUT_MS })
  } finally {
    await thread.close()
  }
}
