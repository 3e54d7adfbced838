import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openReadOnly } from '../../../src/store/database.js'

/** The journal has a file of its own, or is a table beside the others, as it was in earlier versions. */
const FILES = ['journal.db', 'raay.db']

/** Returns the sequence of the last batch in the journal of a data directory. */
export function lastSequence(data: string): number {
  return ask(data, 'SELECT ifnull(max(sequence), 0) FROM journal', [])[0] ?? 0
}

/** Returns the numbers of commands in the batches after one sequence and up to another, sorted. */
export function batchLengths(data: string, after: number, upTo: number): number[] {
  // The first element is the form of the batch; those of earlier versions have none.
  const sql = `SELECT json_array_length(commands) - (json_type(commands, '$[0]') = 'integer') AS length FROM journal
    WHERE sequence > ? AND sequence <= ? ORDER BY length`
  return ask(data, sql, [after, upTo])
}

function ask(data: string, sql: string, values: readonly number[]): number[] {
  const name = FILES.find(file => existsSync(join(data, file))) ?? ''
  const database = openReadOnly(join(data, name))
  try {
    return database
      .prepare<unknown[], number>(sql)
      .pluck()
      .all(...values)
  } finally {
    database.close()
  }
}
