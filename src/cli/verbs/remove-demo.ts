import { resolve } from 'node:path'

/** Deletes the demo in a data directory and says so. Rejects where it is running. */
export async function removeDemoOf(data: string): Promise<undefined> {
  // Loaded late, for it loads the database's binding.
  const { removeDemo } = await import('../../store/files/demo-files.js')
  const isGone = removeDemo(data)
  const path = resolve(data)
  process.stdout.write(
    isGone ? `raay: the demo in ${path} is deleted\n` : `raay: there is no demo in ${path}\n`,
  )
}
