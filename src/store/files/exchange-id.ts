import { closeSync, readSync } from 'node:fs'
import type { Database } from '../database.js'
import type { Stamp } from './log-frames.js'
import { ID_OFFSET, readLog, stampOf } from './log-frames.js'
import { openIfThere } from './open-if-there.js'

/** The first bytes of an SQLite database. */
const MAGIC = 'SQLite format 3\0'
/** The header's byte for the way of writing: 1 with a rollback journal, 2 with a write-ahead log. */
const MODE_OFFSET = 18
const ROLLBACK_MODE = 1
/** Ids are positive numbers of 32 bits with a sign, as SQLite's `application_id` takes them. */
const ID_MAX = 0x7fff_ffff

/** Returns the exchange's id; assigns one to a file without. */
export function giveId(database: Database): number {
  const id = Number(database.pragma('application_id', { simple: true }))
  if (id !== 0) return id
  const given = database.prepare<unknown[], number>(`SELECT 1 + abs(random() % ${ID_MAX})`).pluck().get() ?? 1
  database.pragma(`application_id = ${given}`)
  return given
}

/**
 * Reads the id in the file itself, without its log: 0 if it has none or does not exist, undefined if it is
 * not a database. No connection of this process may have the file open.
 */
export function readIdIn(file: string): number | undefined {
  const head = readHead(file)
  if (head === undefined) return 0
  return isDatabase(head) ? stampOf(head).id : undefined
}

/**
 * Reads id and version of a database with its log, without SQLite, which could not even look at one without
 * writing beside it; undefined if the file is missing, empty or not a database. No connection of this process
 * may have the file open.
 */
export function readStamp(file: string): Stamp | undefined {
  const { id, version } = readLog(`${file}-wal`)
  if (id !== undefined && version !== undefined) return { id, version }
  const head = readHead(file)
  return head !== undefined && isDatabase(head) ? stampOf(head) : undefined
}

/** Returns true for a database that no connection has opened for writing yet, as a backup. */
export function isInRollbackMode(file: string): boolean {
  const head = readHead(file)
  return head !== undefined && isDatabase(head) && head[MODE_OFFSET] === ROLLBACK_MODE
}

const isDatabase = (head: Buffer) => head.toString('latin1', 0, MAGIC.length) === MAGIC

/** Returns undefined if the file is missing or empty. */
function readHead(file: string): Buffer | undefined {
  const descriptor = openIfThere(file)
  if (descriptor === undefined) return undefined
  try {
    const head = Buffer.alloc(ID_OFFSET + 4)
    return readSync(descriptor, head, 0, head.length, 0) === 0 ? undefined : head
  } finally {
    closeSync(descriptor)
  }
}
