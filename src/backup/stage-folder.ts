import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { lockForProcess } from '../store/database.js'
import { createPrivateDirectory } from '../store/files/private-files.js'

/** The folder of a data directory in which copies wait: as they are, even if the store encrypts. */
export const STAGING = 'staging'

const LOCK = '.lock'
const NAME = /^work-\d+$/

/**
 * Works in a folder of its own below the stage, which is deleted afterwards. The folder of a process that was
 * killed is deleted by the next work there, and by `clearStage`: its lock, taken before it is made, is free.
 */
export async function withStageFolder<Result>(
  stage: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  createPrivateDirectory(stage)
  clearStage(stage)
  const { folder, release } = lockedFolder(stage)
  try {
    createPrivateDirectory(folder)
    return await work(folder)
  } finally {
    try {
      rmSync(folder, { recursive: true, force: true })
    } finally {
      release()
    }
  }
}

/** Deletes what processes that were killed have left in a stage. */
export function clearStage(stage: string): void {
  if (!existsSync(stage)) return
  const names = readdirSync(stage).map(name => (name.endsWith(LOCK) ? name.slice(0, -LOCK.length) : name))
  for (const name of new Set(names.filter(name => NAME.test(name)))) {
    const folder = join(stage, name)
    const lock = lockForProcess(folder + LOCK)
    if (lock === undefined) continue
    try {
      rmSync(folder, { recursive: true, force: true })
      rmSync(folder + LOCK, { force: true })
    } finally {
      lock.release()
    }
  }
}

/** Returns a folder whose name no other work has, locked for this process. */
function lockedFolder(stage: string): { readonly folder: string; readonly release: () => void } {
  for (let number = 1; ; number++) {
    const folder = join(stage, `work-${number}`)
    const lock = lockForProcess(folder + LOCK)
    if (lock === undefined) continue
    const release = () => {
      try {
        rmSync(folder + LOCK, { force: true })
      } finally {
        lock.release()
      }
    }
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      release()
      throw error
    }
    return { folder, release }
  }
}
