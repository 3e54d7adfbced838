import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One file in one of its encodings. */
export interface PageBody {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Differs for each encoding, since it is derived from these bytes. */
  readonly etag: string
}

export interface PageFile {
  readonly type: string
  readonly plain: PageBody
  readonly gzip: PageBody
  readonly br: PageBody
}

/** The built pages by name: `trade.html`, `trade-ABCD1234.js` and the like. */
export type PageFiles = ReadonlyMap<string, PageFile>

const BUILT = fileURLToPath(new URL('./pages', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  png: 'image/png',
}

/** Reads the built pages into memory, a few hundred kilobytes. Throws if there is no build. */
export function readPageFiles(directory = BUILT): PageFiles {
  if (!existsSync(directory)) {
    throw new Error(`the pages are not built: there is no ${directory}. Run npm run build, then start again`)
  }
  const files = new Map<string, PageFile>()
  for (const name of readdirSync(directory)) {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
    if (type === undefined) continue
    const path = join(directory, name)
    files.set(name, { type, plain: bodyOf(path), gzip: bodyOf(`${path}.gz`), br: bodyOf(`${path}.br`) })
  }
  return files
}

function bodyOf(path: string): PageBody {
  const bytes = new Uint8Array(readFileSync(path))
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}
