import { existsSync } from 'node:fs'
import { openDatabase } from '../../../src/store/database.js'
import { Reached } from '../../../src/store/reached.js'
import { batchesBehind } from '../../fixtures/batches-behind.js'
import type { Dice } from '../../fixtures/dice.js'
import type { RareBranches } from '../workload/rare-branches.js'
import type { Disk } from './disk.js'
import type { Machine } from './machine.js'

const CREATION = /^\s*(?:ALTER|CREATE|--)|user_version =/
/** The statements that move the journal to a file of its own. */
export const MOVING = /\bpart\b|DROP TABLE main\.journal/

/** Counts how far a dead process left the tables behind the journal. */
export function countBehind(file: string, branches: RareBranches): void {
  const behind = batchesBehind(file)
  branches.count('crash with the tables level', behind === 0)
  branches.count('crash with the tables one batch behind', behind === 1)
  branches.count('crash with the tables many batches behind', behind > 1)
  branches.count('start replays the tail of the journal', behind > 0)
}

/**
 * Leaves the files to the next start as an operator would. Returns how many
 * files hold it.
 */
export function changeForm(disk: Disk, dice: Dice, branches: RareBranches): 'one file' | 'two files' {
  if (dice.percent(50)) {
    if (!existsSync(disk.backup)) return 'two files'
    disk.replaceTables(disk.backup)
    branches.count('start on a backup beside its journal')
    return 'two files'
  }
  disk.joinFiles()
  const database = openDatabase(disk.file)
  const { sequence } = new Reached(database).read()
  const end = database.prepare<unknown[], number>('SELECT max(sequence) FROM main.journal').pluck().get() ?? 0
  branches.count('start on a backup with its journal inside', sequence < end)
  branches.count('start on a backup whose tables are level', sequence === end)
  database.close()
  return 'one file'
}

/** Counts the part of a start in which the process died. */
export function countPart({ death, isRelaxed }: Machine, branches: RareBranches): void {
  const statement = death?.statement ?? ''
  branches.count('crash while the tables are created', CREATION.test(statement))
  branches.count('crash while the journal is moved', MOVING.test(statement))
  branches.count('crash while the tables catch up', isRelaxed)
}
