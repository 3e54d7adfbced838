import type { Snapshot } from '../verify/snapshot.js'
import type { Cell } from './column.js'
import { ExportError } from './export-error.js'
import type { ExportName, ExportTable } from './export-tables.js'
import { EXPORT_TABLES } from './export-tables.js'
import type { FormatName } from './formats/format.js'
import { FORMATS } from './formats/format.js'
import type { Moment } from './moment-of.js'
import { isSameMoment, momentOf } from './moment-of.js'
import { PartialFile } from './partial-file.js'
import { TablePages } from './table-pages.js'

/** A table to export. */
export interface ExportRequest {
  readonly name: ExportName
  readonly format: FormatName
  /** Only the rows of this user, for tables whose rows belong to users. */
  readonly userId?: string | undefined
}

/** An export that has come to its end. */
export interface Exported {
  readonly rows: number
  /** The batch as of which it is. */
  readonly sequence: number
  /** Rows that an interrupted export had written. */
  readonly resumedAt: number
}

/** The note of an export after each part. */
interface Note {
  readonly request: string
  readonly moment: Moment
  readonly key: readonly Cell[]
  readonly rows: number
  readonly state: unknown
}

export type ExportProgress = (rows: number, total: number) => void
type Write = (part: Uint8Array) => Promise<void>

/** Rows of a part: what a kill costs, a row group of Parquet, and about 30 MB of memory. */
export const PART_ROWS = 20_000

/** Exports a table as of a snapshot, part by part. The caller begins the snapshot, and closes it. */
export class TableExport {
  readonly #snapshot: Snapshot
  readonly #request: ExportRequest
  readonly #table: ExportTable
  readonly #account: number | undefined
  readonly #partRows: number

  /** Throws ExportError for a user who does not exist. */
  constructor(snapshot: Snapshot, request: ExportRequest, partRows = PART_ROWS) {
    this.#snapshot = snapshot
    this.#request = request
    this.#table = EXPORT_TABLES[request.name]
    this.#account = request.userId === undefined ? undefined : this.#accountOf(request.userId)
    this.#partRows = partRows
  }

  /** Writes the whole table to a stream. */
  async toStream(write: Write, told: ExportProgress): Promise<Exported> {
    const moment = momentOf(this.#snapshot.database)
    const writer = FORMATS[this.#request.format](this.#table.columns)
    const total = this.#total()
    await write(writer.begin())
    let rows = 0
    for (const page of this.#pages(moment, undefined)) {
      await write(writer.rows(page.rows))
      rows += page.rows.length
      told(rows, total)
    }
    await write(writer.end())
    return { rows, sequence: moment.sequence, resumedAt: 0 }
  }

  /**
   * Writes the table to a file, from where an interrupted export of the same table stopped. It is as of one
   * batch: if the exchange has gone on since, only tables whose rows never change are continued, up to
   * the batch at which they were begun; others start over.
   */
  toFile(path: string, told: ExportProgress): Exported {
    const now = momentOf(this.#snapshot.database)
    const before = PartialFile.progress<Note>(path)
    const isContinued = before !== undefined && this.#continues(before.note, now)
    const { moment, key, rows: resumedAt, state } = isContinued ? before.note : this.#beginning(now)
    const writer = FORMATS[this.#request.format](this.#table.columns, state)
    const file = PartialFile.open<Note>(path, isContinued ? before : undefined)
    const total = this.#total()
    let rows = resumedAt
    try {
      const note = (last: readonly Cell[]): Note => {
        return { request: this.#text(), moment, key: last, rows, state: writer.state() }
      }
      if (!isContinued) file.write(writer.begin(), note([]))
      for (const page of this.#pages(moment, key.length === 0 ? undefined : key)) {
        rows += page.rows.length
        file.write(writer.rows(page.rows), note(page.key))
        told(rows, total)
      }
      file.finish(writer.end())
    } catch (error) {
      file.close()
      throw error
    }
    return { rows, sequence: moment.sequence, resumedAt }
  }

  #beginning(moment: Moment): Note {
    return { request: this.#text(), moment, key: [], rows: 0, state: undefined }
  }

  #continues({ request, moment }: Note, now: Moment): boolean {
    if (request !== this.#text()) return false
    if (moment.sequence === now.sequence) return moment.hash === now.hash
    return this.#table.sequence !== undefined && isSameMoment(this.#snapshot.database, moment)
  }

  /** Returns what tells this export from others, its columns included. */
  #text(): string {
    return JSON.stringify([this.#request, this.#table.columns])
  }

  *#pages({ sequence }: Moment, key: readonly Cell[] | undefined) {
    const bounds = { account: this.#account, sequence }
    const rows = { database: this.#snapshot.database, table: this.#table, bounds }
    const pages = new TablePages(rows, this.#partRows)
    for (let page = pages.after(key); page !== undefined; page = pages.after(page.key)) yield page
  }

  #total(): number {
    return this.#snapshot.database.prepare<unknown[], number>(this.#table.count).pluck().get() ?? 0
  }

  #accountOf(userId: string): number {
    if (this.#table.account === undefined) {
      throw new ExportError(`${this.#request.name} are not exported by user: only the statement is`)
    }
    const select = this.#snapshot.database.prepare<unknown[], number>(
      'SELECT number FROM accounts WHERE owner = ?',
    )
    const account = select.pluck().get(`user:${userId}`)
    if (account === undefined) throw new ExportError(`there is no user ${userId}`)
    return account
  }
}
