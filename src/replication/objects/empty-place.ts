import type { BackupStore } from '../../backup/backup-store.js'

/** Why a place is not what it was: a file that is never deleted is gone. For the operator. */
export function lackOf({ place }: Pick<BackupStore, 'place'>, name: string): Error {
  const lack = `${place} no longer has ${name}, and nothing that follows it`
  return new Error(`${lack}: mount its disk, or see what deletes files there`)
}

/**
 * Throws if a place in which nothing was found lacks a file that is never deleted: an empty mount point lists
 * nothing, either, and nothing may begin there.
 */
export async function assertKept(
  store: Pick<BackupStore, 'place'> & Required<Pick<BackupStore, 'has'>>,
  name: string,
): Promise<void> {
  if (!(await store.has(name))) throw lackOf(store, name)
}
