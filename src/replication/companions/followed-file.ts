import { dirname, join } from 'node:path'
import { secretBytes } from '../../access/secrets.js'
import { migrateCompanion } from '../../store/companions/companion-database.js'
import type { CompanionKind } from '../../store/companions/companion-kind.js'
import type { Lineage } from '../../store/companions/companion-outbox.js'
import {
  adoptedLineage,
  earlierOwners,
  isOutboxEmpty,
  OutboxReader,
  outboxCounter,
  pruneOutbox,
  readLineage,
  setCounter,
  writeLineage,
} from '../../store/companions/companion-outbox.js'
import { chainHead, sealBehind } from '../../store/companions/decision-chain.js'
import { DecisionMark } from '../../store/companions/decision-mark.js'
import type { RowImage } from '../../store/companions/table-rows.js'
import { allRows, RowWriter } from '../../store/companions/table-rows.js'
import type { Database } from '../../store/database.js'
import { openDatabase, relaxSync } from '../../store/database.js'
import { createPrivateDirectory, writePrivateFile } from '../../store/files/private-files.js'
import { syncPath } from '../../store/files/sync-path.js'
import { newestVersion } from '../../store/schema.js'
import type { Pack, PackHead } from './pack.js'

export interface FileOptions {
  readonly kind: CompanionKind
  /** The companion's file, which nothing else writes. It is made if it is not there. */
  readonly path: string
  /** The tables of the exchange, beside which its mark of the last decision is; undefined for a copy. */
  readonly exchangeFile: string | undefined
}

/** The file as the log should have it: where it was the log's, and the last number of its outbox then. */
export interface OwnFile {
  readonly lineage: Lineage | undefined
  readonly counter: number
  /** The last pack that was taken from the log; undefined if none can be. */
  readonly place?: number | undefined
  /** The log's last pack, behind which the file may begin to lead later on. */
  readonly seen?: number | undefined
  /** True if it has led in this epoch: no pack of an earlier one is newer. */
  readonly hasLed?: boolean
}

/** Returns a name for a start of an exchange that leads. */
export const newOwner = (): string => secretBytes(8).toString('hex')

/**
 * Gives a file that an exchange has open another owner, whatever its log has of it: written down first, as
 * in any case. Nothing that the log had counts as known.
 */
export function renamedFile(path: string, owner: string): OwnFile {
  const database = openDatabase(path)
  try {
    const before = readLineage(database)
    const lineage = before && { ...before, owner, earlier: earlierOwners(before, owner), place: 0, hash: '' }
    database.transaction(() => writeLineage(database, lineage)).immediate()
    return { lineage, counter: outboxCounter(database) }
  } finally {
    database.close()
  }
}

/** This disk does not take what the log has. */
class LocalFileError extends Error {
  override readonly name = 'LocalFileError'
}

/** Returns true for an error of this disk, not of the log. */
export function isFileError(error: unknown): boolean {
  if (error instanceof LocalFileError) return true
  return String((error as { readonly code?: unknown }).code).startsWith('SQLITE_')
}

/** Text of rows that are set aside at once. */
const ASIDE_LENGTH_MAX = 8_000_000

/** The file of a companion that gets its rows from a log. */
export class FollowedFile {
  readonly #options: FileOptions
  readonly #database: Database
  readonly #writer: RowWriter
  readonly #mark: DecisionMark | undefined

  constructor(options: FileOptions) {
    const { kind, path, exchangeFile } = options
    this.#options = options
    const hasMark = exchangeFile !== undefined && kind.chain !== undefined
    this.#mark = hasMark ? new DecisionMark(exchangeFile) : undefined
    this.#database = openDatabase(path)
    try {
      migrateCompanion(this.#database, kind)
      if (!kind.isSynced) relaxSync(this.#database)
      this.#writer = new RowWriter(this.#database)
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  get lineage(): Lineage | undefined {
    return readLineage(this.#database)
  }

  /** The highest number that its outbox has given, or that of the rows that it took. */
  get counter(): number {
    return outboxCounter(this.#database)
  }

  /** False if it has rows that no log has. */
  get isSent(): boolean {
    return isOutboxEmpty(this.#database)
  }

  /** True if it has no rows, such as one that was made to be filled, and was not. */
  get isEmpty(): boolean {
    for (const [table, [number]] of allRows(this.#database)) {
      // The first link of a chain of decisions comes with the file.
      if (table !== 'decisions' || number !== 0) return false
    }
    return true
  }

  setLineage(lineage: Lineage): void {
    this.#database.transaction(() => writeLineage(this.#database, lineage))()
  }

  /**
   * Takes note that another owner leads from here on, whose numbers may be lower than those that this file
   * has given: a snapshot starts at 0.
   */
  followOwner(number: number, lineage: Lineage): void {
    this.#database.transaction(() => {
      setCounter(this.#database, number)
      writeLineage(this.#database, lineage)
    })()
  }

  /** Writes rows that changed, all or none. */
  write(rows: readonly RowImage[], head: PackHead, lineage: Lineage): void {
    const database = this.#database
    database
      .transaction(() => {
        // Those that this file has sent itself are in it, and perhaps newer ones.
        if (head.number > this.counter) {
          this.#put(rows)
          setCounter(database, head.number)
          this.#seal(head)
        }
        pruneOutbox(database, head.number)
        writeLineage(database, lineage)
      })
      .immediate()
    this.#markHead()
  }

  /**
   * Replaces all rows, or none if that fails.
   *
   * @param epoch the latest one of those that led
   * @param read hands the rows over, some at a time; returns the last pack of a snapshot, and the last one of
   *   the rows behind it
   */
  async replace(
    epoch: number,
    read: (put: (rows: readonly RowImage[]) => void) => Promise<readonly [Pack, Pack]>,
  ): Promise<void> {
    const database = this.#database
    const marked = this.#mark?.read()
    // One that names more decisions than its file has would put that in doubt if this were interrupted.
    if (marked !== undefined) this.#mark?.allowNone()
    database.exec('BEGIN IMMEDIATE')
    try {
      this.#writer.clear()
      database.exec('DELETE FROM main.outbox')
      const [snapshot, last] = await read(rows => this.#put(rows))
      setCounter(database, snapshot.head.number)
      this.#seal(last.head)
      const { owner, place, version } = snapshot.head
      writeLineage(database, { owner, earlier: '', place, hash: snapshot.hash, version, epoch })
      database.exec('COMMIT')
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK')
      if (marked !== undefined) this.#mark?.write(marked)
      throw error
    }
    this.#markHead()
  }

  /** Takes note that an accepted file counts behind the last pack of a log, or in an empty one. */
  adopt(last: PackHead | undefined): void {
    const { lineage } = this
    if (lineage === undefined) return
    this.#database.transaction(() => {
      setCounter(this.#database, Math.max(this.counter, last?.number ?? 0))
      writeLineage(this.#database, adoptedLineage(lineage, last?.owner))
    })()
  }

  /**
   * Puts what was not sent into a file in `orphans/`, or all of a file of which that is unknown. Returns its
   * name, or undefined if all was sent.
   */
  keepOrphans(place: number, isUnknown: boolean): string | undefined {
    if (isUnknown ? this.isEmpty : this.isSent) return undefined
    const { path, kind } = this.#options
    const folder = join(dirname(path), 'orphans')
    const name = `${kind.companion}-${place}.${isUnknown ? 'db' : 'jsonl'}`
    try {
      createPrivateDirectory(folder)
      writePrivateFile(join(folder, name), isUnknown ? '' : this.#unsent())
      if (isUnknown) this.#database.prepare('VACUUM INTO ?').run(join(folder, name))
      syncPath(join(folder, name))
      syncPath(folder)
    } catch (error) {
      throw new LocalFileError(`${kind.name} cannot be set aside in ${folder}: ${(error as Error).message}`)
    }
    return join('orphans', name)
  }

  #unsent(): string {
    const outbox = new OutboxReader(this.#database)
    const lines: string[] = []
    let read = outbox.read(0, ASIDE_LENGTH_MAX)
    while (read !== undefined) {
      for (const row of read.rows) lines.push(`${JSON.stringify(row)}\n`)
      read = outbox.read(read.through, ASIDE_LENGTH_MAX)
    }
    return lines.join('')
  }

  /** Returns the names of all tables. */
  tables(): string[] {
    const select = "SELECT name FROM main.sqlite_schema WHERE type = 'table'"
    return this.#database.prepare<unknown[], string>(select).pluck().all()
  }

  close(): void {
    if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
    this.#database.close()
  }

  #put(rows: readonly RowImage[]): void {
    for (const row of rows) this.#writer.write(row)
  }

  /** Continues the chain over rows of an earlier version, to which this one has added columns. */
  #seal({ version, decision }: PackHead): void {
    const { kind } = this.#options
    if (kind.chain === undefined || version === newestVersion(kind.schema)) return
    sealBehind(this.#database, kind.chain, decision)
  }

  /** Names the last decision, unless the mark names a later one: then the file stays in doubt. */
  #markHead(): void {
    const head = this.#mark && chainHead(this.#database)()
    if (head !== undefined && head.number >= (this.#mark?.read()?.number ?? 0)) this.#mark?.write(head)
  }
}
