import { join } from 'node:path'
import type { Database } from '../../store/database.js'
import { openReadOnly } from '../../store/database.js'
import { sizeOfFile } from '../../store/files/file-bytes.js'
import { JOURNAL_FILE, TABLES_FILE } from '../../store/files/journal-path.js'
import type { Check } from './check.js'
import { freeIn } from './disk-checks.js'
import { growthCheck, growthOf } from './growth-check.js'
import type { Load } from './memory-check.js'
import { memoryCheck } from './memory-check.js'

/** Checks how fast the files of an exchange grow, and the memory that its contents need. */
export function useChecks(directory: string, now: number, load?: Load): Check[] {
  const database = openReadOnly(join(directory, TABLES_FILE))
  try {
    const bytes = sizeOfFile(join(directory, TABLES_FILE)) + sizeOfFile(join(directory, JOURNAL_FILE))
    return [
      growthCheck(growthOf(database, bytes, now), freeIn(directory)),
      memoryCheck(load ?? loadIn(database)),
    ]
  } finally {
    database.close()
  }
}

function loadIn(database: Database): Load {
  const count = (from: string) => {
    const [rows] = database.prepare(`SELECT count(*) FROM ${from}`).raw().get() as [number]
    return rows
  }
  const open = "orders INDEXED BY orders_open WHERE state IN ('resting', 'partially_filled')"
  return { accounts: count('accounts'), openOrders: count(open) }
}
