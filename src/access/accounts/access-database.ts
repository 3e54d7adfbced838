import type { Database } from '../../store/database.js'
import { assertDurable, damageBehind, damageOf, openDatabase } from '../../store/database.js'
import { migrateAccess } from './access-schema.js'

/** 4 MB of log before a checkpoint, which runs on the main thread: short ones delay no order. */
const CHECKPOINT_PAGES = 1000
/** A file that is gone when it is closed, for exchanges in tests. */
const IN_MEMORY = ':memory:'

/**
 * Opens the file of accounts, sessions and keys, or creates an empty one. Throws with a message for the
 * operator if the file is corrupted, belongs to a newer version or is something else.
 */
export function openAccessDatabase(path: string): Database {
  const database = orRefuse(path, () => openDatabase(path))
  try {
    const refusal = orRefuse(path, () => {
      const damage = damageOf(database)
      return damage === undefined ? migrateAccess(database) : damageText(damage)
    })
    if (refusal !== undefined) throw new Error(refusalText(path, refusal))
    if (path !== IN_MEMORY) assertDurable(database)
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function orRefuse<Value>(path: string, act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    const damage = damageBehind(error)
    throw damage === undefined ? error : new Error(refusalText(path, damageText(damage)))
  }
}

function damageText(damage: string): string {
  return `it is damaged (${damage}); move it away and put its newest backup in its place`
}

function refusalText(path: string, refusal: string): string {
  return `the accounts cannot be opened, ${path}: ${refusal}`
}
