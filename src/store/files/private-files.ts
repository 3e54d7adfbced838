import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY_DIRECTORY = 0o700
const OWNER_ONLY_FILE = 0o600
const OTHERS = 0o077

/**
 * Creates a directory and its missing parents, accessible to the owner only whatever the umask. Leaves
 * existing directories as they are.
 */
export function createPrivateDirectory(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: OWNER_ONLY_DIRECTORY })
  if (first === undefined) return
  for (let made = path; ; made = dirname(made)) {
    unlessRefused(() => chmodSync(made, OWNER_ONLY_DIRECTORY))
    if (made === first || dirname(made) === made) return
  }
}

/**
 * Creates an empty file, accessible to the owner only whatever the umask, unless it exists. SQLite treats an
 * empty file as a new database, and gives its log the same mode. Never opens an existing file: closing it
 * would drop SQLite's locks.
 */
export function createPrivateFile(path: string): void {
  // Without its directory the file cannot be opened either, and SQLite says so.
  if (existsSync(path) || !existsSync(dirname(path))) return
  try {
    const descriptor = openSync(path, 'wx', OWNER_ONLY_FILE)
    unlessRefused(() => fchmodSync(descriptor, OWNER_ONLY_FILE))
    closeSync(descriptor)
  } catch (error) {
    // Another process was faster, and has set the mode.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Writes a file that no connection has open, readable by its owner only, and syncs it. */
export function writePrivateFile(path: string, text: string): void {
  createPrivateFile(path)
  const descriptor = openSync(path, 'w')
  try {
    // All of it or an error: a disk that is nearly full takes a part.
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Returns the mode, as for `chmod`, of a path that users other than its owner can access. */
export function looseMode(path: string): string | undefined {
  if (process.platform === 'win32' || !existsSync(path)) return undefined
  const { mode } = statSync(path)
  return (mode & OTHERS) === 0 ? undefined : (mode & 0o777).toString(8).padStart(4, '0')
}

/** Changes a mode; ignores file systems without modes. */
function unlessRefused(change: () => void): void {
  try {
    change()
  } catch {
    // `raay doctor` reports files that stay open to others.
  }
}
