import { createHash } from 'node:crypto'
import { assert } from '../core/assert.js'
import type { Sequence, TimeMs } from '../core/units.js'
import type { Database, Statement } from './database.js'
import type { Schema } from './schema.js'

/**
 * One committed batch. `hash` chains it to the one before: SHA-256 over that hash and this row's contents.
 */
export interface JournalRow {
  readonly sequence: Sequence
  readonly shard: number
  readonly at: TimeMs
  readonly commands: string
  readonly hash: Buffer
}

/** A batch's sequence and time. */
export type BatchPlace = Pick<JournalRow, 'sequence' | 'at'>

/** The last row, which the next one follows. */
export type JournalEnd = Pick<JournalRow, 'sequence' | 'at' | 'hash'>

/** The start of the chain, which the first row follows. */
export const BEGINNING: JournalEnd = { sequence: 0 as Sequence, at: 0 as TimeMs, hash: Buffer.alloc(32) }

/** The table in SQL, without its database. */
export const JOURNAL_TABLE = `journal (
    sequence INTEGER PRIMARY KEY,
    shard    INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    commands TEXT    NOT NULL,
    hash     BLOB    NOT NULL
  ) STRICT`

/** A journal's own file. */
export const JOURNAL_SCHEMA: Schema = { first: 0, tables: `CREATE TABLE ${JOURNAL_TABLE}`, steps: [] }

/** Returns the hash of a row that follows `before`. */
export function chainHash(before: Buffer, row: Omit<JournalRow, 'hash'>): Buffer {
  const head = `${row.sequence} ${row.shard} ${row.at} `
  return createHash('sha256').update(before).update(head).update(row.commands).digest()
}

/** Returns why a row does not follow from the one before it. */
export function linkFault(before: JournalEnd, row: JournalRow): string | undefined {
  const { sequence, at, hash } = row
  if (sequence !== before.sequence + 1) return `batch ${before.sequence + 1} of the journal is missing`
  if (at < before.at) return `the time of batch ${sequence} is before that of the batch before it`
  if (chainHash(before.hash, row).equals(hash)) return undefined
  return `batch ${sequence} of the journal does not follow from batch ${before.sequence}`
}

/** The ordered history of all shards: 1, 2, 3, … without gaps; its time never goes back. */
export class Journal {
  readonly #shard: number
  readonly #selectEnd: Statement<JournalEnd>
  readonly #insert: Statement
  readonly #writeId: Statement

  constructor(database: Database, shard: number) {
    this.#shard = shard
    const id = database.pragma('application_id', { simple: true })
    this.#writeId = database.prepare(`PRAGMA application_id = ${id}`)
    this.#selectEnd = database.prepare(
      'SELECT sequence, at, hash FROM main.journal ORDER BY sequence DESC LIMIT 1',
    )
    this.#insert = database.prepare('INSERT INTO main.journal VALUES (?, ?, ?, ?, ?)')
  }

  end(): JournalEnd {
    return this.#selectEnd.get() ?? BEGINNING
  }

  /**
   * Writes the row that follows `end`, within the caller's transaction, and rewrites the exchange's id: it is
   * in page 1, so every transaction in a log carries the id of its exchange.
   */
  append(end: JournalEnd, at: TimeMs, commands: string): JournalRow {
    assert(at >= end.at, 'the time of the journal never goes back')
    const sequence = (end.sequence + 1) as Sequence
    const unchained = { sequence, shard: this.#shard, at, commands }
    const row = { ...unchained, hash: chainHash(end.hash, unchained) }
    this.add(row)
    return row
  }

  /** Writes a row as it is, which the caller has compared with the one before it. */
  add({ sequence, shard, at, commands, hash }: JournalRow): void {
    this.#insert.run(sequence, shard, at, commands, hash)
    this.#writeId.run()
  }
}
