import { rmSync } from 'node:fs'
import { lockForProcess } from '../store/database.js'
import { Snapshot } from '../verify/snapshot.js'
import { ExportError } from './export-error.js'
import type { Exported, ExportRequest, ExportProgress } from './export-table.js'
import { TableExport } from './export-table.js'

/** Exports a table of an exchange, or of a backup, to a file; goes on with an interrupted export. */
export function exportTo(file: string, request: ExportRequest, path: string, told: ExportProgress): Exported {
  return alone(path, () => {
    const snapshot = begun(file)
    try {
      return new TableExport(snapshot, request).toFile(path, told)
    } finally {
      snapshot.close()
    }
  })
}

/** Exports a table to a stream. */
export async function exportOnto(
  file: string,
  request: ExportRequest,
  write: (part: Uint8Array) => Promise<void>,
  told: ExportProgress,
): Promise<Exported> {
  const snapshot = begun(file)
  try {
    return await new TableExport(snapshot, request).toStream(write, told)
  } finally {
    snapshot.close()
  }
}

/** Works on an unfinished file, which no other process may write meanwhile. */
export function alone<Result>(path: string, work: () => Result): Result {
  const lock = `${path}.partial.lock`
  const locked = lockForProcess(lock)
  if (locked === undefined) throw new ExportError(`another export is writing ${path}`)
  try {
    return work()
  } finally {
    try {
      rmSync(lock, { force: true })
    } finally {
      locked.release()
    }
  }
}

function begun(file: string): Snapshot {
  const snapshot = new Snapshot(file)
  snapshot.renew()
  return snapshot
}
