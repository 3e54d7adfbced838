import { join, dirname } from 'node:path'
import { assert } from '../core/assert.js'
import type { Sequence } from '../core/units.js'
import type { Database, Statement } from '../store/database.js'
import { checkpoint, openDatabase, openReadOnly } from '../store/database.js'
import { IdFile } from '../store/files/id-file.js'
import { journalPath } from '../store/files/journal-path.js'
import { createPrivateDirectory, writePrivateFile } from '../store/files/private-files.js'
import { syncPath } from '../store/files/sync-path.js'
import type { JournalEnd, JournalRow } from '../store/journal.js'
import { BEGINNING, linkFault } from '../store/journal.js'
import { Reached } from '../store/reached.js'
import { LogForkedError } from './replication-error.js'

/** The journal of this exchange on its disk, before a start and beside a running exchange. */
export class LocalJournal {
  readonly #file: string
  readonly #database: Database
  readonly #selectEnd: Statement<JournalEnd>
  readonly #selectFrom: Statement<JournalRow>
  readonly #selectFirst: Statement<JournalRow>

  /** @param file of the tables, beside which the journal is */
  constructor(file: string) {
    this.#file = file
    this.#database = openDatabase(journalPath(file))
    const columns = 'sequence, shard, at, commands, hash'
    this.#selectEnd = this.#database.prepare(
      'SELECT sequence, at, hash FROM main.journal ORDER BY sequence DESC LIMIT 1',
    )
    this.#selectFrom = this.#database.prepare(
      `SELECT ${columns} FROM main.journal WHERE sequence >= ? ORDER BY sequence LIMIT ?`,
    )
    this.#selectFirst = this.#database.prepare(
      `SELECT ${columns} FROM main.journal ORDER BY sequence LIMIT 1`,
    )
  }

  get end(): JournalEnd {
    return this.#selectEnd.get() ?? BEGINNING
  }

  /** The first row; undefined in an empty journal. Those before it are in the archive. */
  get first(): JournalRow | undefined {
    return this.#selectFirst.get()
  }

  rows(from: Sequence, count: number): JournalRow[] {
    return this.#selectFrom.all(from, count)
  }

  row(sequence: Sequence): JournalRow | undefined {
    const [row] = this.rows(sequence, 1)
    return row?.sequence === sequence ? row : undefined
  }

  /** Gives an exchange that has nothing yet the id of the one that it follows. */
  takeId(id: number): void {
    assert(this.end.sequence === 0, 'an exchange keeps its id')
    const tables = openDatabase(this.#file)
    try {
      for (const database of [this.#database, tables]) {
        database.pragma(`application_id = ${id}`)
        // A log and its file must name the same exchange.
        checkpoint(database)
      }
    } finally {
      tables.close()
    }
    new IdFile(this.#file).write(id)
  }

  /** Appends rows that another exchange has decided, in one transaction. Throws if they do not follow. */
  add(rows: readonly JournalRow[]): void {
    const insert = this.#database.prepare('INSERT INTO main.journal VALUES (?, ?, ?, ?, ?)')
    let { end } = this
    const addAll = () => {
      for (const row of rows) {
        const fault = linkFault(end, row)
        if (fault !== undefined) throw new LogForkedError(`the log cannot be followed: ${fault}`)
        insert.run(row.sequence, row.shard, row.at, row.commands, row.hash)
        end = row
      }
    }
    this.#database.transaction(addAll).immediate()
  }

  /**
   * Moves the rows after one to a file in `orphans/`; returns how many. Throws if the tables have them.
   */
  orphan(after: Sequence): number {
    const tables = openReadOnly(this.#file)
    const reached = new Reached(tables).read().sequence
    tables.close()
    if (reached > after) {
      throw new LogForkedError(
        `the log went on differently after batch ${after}, but the tables have batch ${reached}: move this ` +
          'data directory away and start with an empty one, which the log fills',
      )
    }
    const count = this.copyOrphans(after)
    this.#database.prepare('DELETE FROM main.journal WHERE sequence > ?').run(after)
    return count
  }

  /** Copies the rows after one to a file in `orphans/`; returns how many. */
  copyOrphans(after: Sequence): number {
    const rows = this.rows((after + 1) as Sequence, Number.MAX_SAFE_INTEGER)
    const [first] = rows
    if (first === undefined) return 0
    const folder = join(dirname(this.#file), 'orphans')
    createPrivateDirectory(folder)
    const lines = rows.map(row => JSON.stringify({ ...row, hash: row.hash.toString('hex') }))
    const path = join(folder, `${first.sequence}-${first.hash.toString('hex', 0, 4)}.jsonl`)
    writePrivateFile(path, `${lines.join('\n')}\n`)
    syncPath(folder)
    return rows.length
  }

  close(): void {
    this.#database.close()
  }
}
