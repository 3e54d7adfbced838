import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { lockForProcess } from '../database.js'
import { JOURNAL_FILE, LOCK_FILE, TABLES_FILE } from './journal-path.js'
import { finishRestore } from './pending-restore.js'
import { createPrivateDirectory, createPrivateFile } from './private-files.js'
import { withdrawAddress } from './running-address.js'
import { withAdvice } from './write-advice.js'

/** A data directory, locked for this process. */
export interface DataDirectory {
  readonly path: string
  /** The file of the tables; the journal is beside it. */
  readonly file: string
  /** The file whose lock keeps other processes out. */
  readonly lock: string
  readonly release: () => void
}

/** A data directory that cannot be used; the message says why and what to do. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/** The use of a directory. It never changes, so that a demo and a real exchange never share a file. */
export type DirectoryUse = 'exchange' | 'demo'

/** A file that marks the directory of a demo. */
export const DEMO_MARK = 'raay.demo'
const DEMO_MARK_TEXT = 'This directory holds a demo of Raay: raay start --demo-remove deletes it.\n'

/** Creates the directory if it is missing, and locks it. Throws if it has another use. */
export function openDataDirectory(directory: string, use: DirectoryUse = 'exchange'): DataDirectory {
  const path = resolve(directory)
  const lock = lockOf(path)
  if (lock === undefined) {
    const advice = 'stop it, or choose another directory with --data'
    throw new DataDirectoryError(`${path} is in use by another Raay process: ${advice}`)
  }
  const refusal = refusalOf(path, use)
  if (refusal !== undefined) {
    lock.release()
    throw new DataDirectoryError(`${path} ${refusal}`)
  }
  if (use === 'demo') writeMark(join(path, DEMO_MARK))
  finishAnyRestore(path, lock)
  const release = () => {
    // Whatever fails, the directory is free afterwards.
    try {
      withdrawAddress(path)
    } finally {
      lock.release()
    }
  }
  try {
    withdrawAddress(path)
  } catch (error) {
    lock.release()
    throw error
  }
  return { path, file: join(path, TABLES_FILE), lock: join(path, LOCK_FILE), release }
}

/** Finishes a restore that was interrupted, before anyone opens what it has left. */
function finishAnyRestore(path: string, lock: { readonly release: () => void }): void {
  try {
    finishRestore(path)
  } catch (error) {
    lock.release()
    const reason = error instanceof Error ? error.message : String(error)
    throw new DataDirectoryError(`${path} cannot be used as data directory: ${reason}`)
  }
}

function writeMark(mark: string): void {
  createPrivateFile(mark)
  writeFileSync(mark, DEMO_MARK_TEXT)
}

/** Returns why a directory cannot have this use; undefined if it can. */
function refusalOf(path: string, use: DirectoryUse): string | undefined {
  const isDemo = existsSync(join(path, DEMO_MARK))
  if (use === 'exchange' && isDemo) {
    return 'holds a demo: start it with --demo, or choose another directory with --data'
  }
  const hasExchange = [TABLES_FILE, JOURNAL_FILE].some(name => existsSync(join(path, name)))
  if (use === 'demo' && !isDemo && hasExchange) {
    return 'holds an exchange that is no demo: choose another directory for the demo with --data'
  }
  return undefined
}

function lockOf(path: string): ReturnType<typeof lockForProcess> {
  try {
    createPrivateDirectory(path)
    return lockForProcess(join(path, LOCK_FILE))
  } catch (error) {
    throw new DataDirectoryError(`${path} cannot be used as data directory: ${withAdvice(error)}`)
  }
}
