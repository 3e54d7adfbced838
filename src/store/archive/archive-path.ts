import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

const NAME = /^archive-[0-9a-f]{16}\.db$/

/** Returns the name of an archive, made of its own SHA-256: two archives never share one. */
export function archiveName(digest: string): string {
  return `archive-${digest.slice(0, 16)}.db`
}

/** Returns where the archive of a file of tables is: beside it. */
export function archivePath(file: string, { digest }: { readonly digest: string }): string {
  return join(dirname(file), archiveName(digest))
}

/** Returns the names of all archives in a directory; none if it is missing. */
export function archivesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).filter(name => NAME.test(name)) : []
}
