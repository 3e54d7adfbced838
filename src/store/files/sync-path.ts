import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Syncs a file or directory. No connection may have the file open: closing it would drop SQLite's locks. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
