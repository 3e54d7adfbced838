import { resolve } from 'node:path'

/** Deletes the demo in a data directory and says so. Rejects if it is running. */
export async function removeDemoOf(data: string): Promise<undefined> {
  // Imported late because it loads the database's native binding.
  const { removeDemo } = await import('../../store/files/demo-files.js')
  const isRemoved = removeDemo(data)
  const path = resolve(data)
  process.stdout.write(isRemoved ? `raay: deleted the demo in ${path}\n` : `raay: no demo in ${path}\n`)
}
