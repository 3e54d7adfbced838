// Writes SHA256SUMS, as `sha256sum --check SHA256SUMS` reads it.
// usage: node bin/packages/checksums.js release
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NAME = 'SHA256SUMS'

/** Writes the checksums of all files of a folder, without its inner folders, into it. */
export function writeChecksums(folder) {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== NAME)
    .map(({ name }) => name)
    .sort()
  const lines = names.map(name => {
    const hash = createHash('sha256').update(readFileSync(join(folder, name)))
    return `${hash.digest('hex')}  ${name}\n`
  })
  writeFileSync(join(folder, NAME), lines.join(''))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeChecksums(process.argv[2])
