import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { lockForProcess } from '../database.js'
import { LOCK_FILE } from './journal-path.js'
import { writePrivateFile } from './private-files.js'

const ADDRESS_FILE = 'raay.address'

/** The address of a running exchange, for the command line of its own machine. */
export interface RunningAddress {
  /** Such as `https://127.0.0.1:8443`. */
  readonly url: string
  /** Set if it encrypts: the name that its certificate is for, and the file of the certificate. */
  readonly tls?: { readonly name: string; readonly certificate: string }
}

/** Writes the address into a data directory that this process has locked. */
export function announceAddress(directory: string, address: RunningAddress): void {
  const path = join(directory, ADDRESS_FILE)
  const unfinished = `${path}.new`
  rmSync(unfinished, { force: true })
  writePrivateFile(unfinished, `${JSON.stringify(address)}\n`)
  renameSync(unfinished, path)
}

/** Removes the address; to be called by the holder of the lock. */
export function withdrawAddress(directory: string): void {
  rmSync(join(directory, ADDRESS_FILE), { force: true })
}

/**
 * Returns the address of the exchange that runs on a data directory. Undefined if none does, or if this user
 * may not look. An address that a killed exchange left behind counts for nothing: its lock is free.
 */
export function runningAddress(directory: string): RunningAddress | undefined {
  try {
    const path = join(directory, ADDRESS_FILE)
    if (!existsSync(path)) return undefined
    const free = lockForProcess(join(directory, LOCK_FILE))
    free?.release()
    return free === undefined ? JSON.parse(readFileSync(path, 'utf8')) : undefined
  } catch {
    return undefined
  }
}
