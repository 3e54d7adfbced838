import { closeSync, readSync } from 'node:fs'
import type { Database } from '../database.js'
import { ID_OFFSET } from './log-frames.js'
import { openIfThere } from './open-if-there.js'

/** The first bytes of an SQLite database. */
const MAGIC = 'SQLite format 3\0'
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
  const descriptor = openIfThere(file)
  if (descriptor === undefined) return 0
  try {
    const head = Buffer.alloc(ID_OFFSET + 4)
    if (readSync(descriptor, head, 0, head.length, 0) === 0) return 0
    return head.toString('latin1', 0, MAGIC.length) === MAGIC ? head.readUInt32BE(ID_OFFSET) : undefined
  } finally {
    closeSync(descriptor)
  }
}
