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
  /** Undefined for fonts and pictures, which are compressed already. */
  readonly gzip: PageBody | undefined
  readonly br: PageBody | undefined
}

/** The built pages. */
export interface PageFiles {
  /** HTML by name, such as `trade.html`, with placeholders for the site. */
  readonly documents: ReadonlyMap<string, string>
  /** Scripts, styles, fonts, pictures and texts to search by name, such as `trade-ABCD1234.js`. */
  readonly assets: ReadonlyMap<string, PageFile>
}

/** The directory of the built pages, and of what pictures are drawn with. */
export const BUILT = fileURLToPath(new URL('./pages', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  woff2: 'font/woff2',
}

/** Reads the built pages into memory, a few hundred kilobytes. Throws if there is no build. */
export function readPageFiles(directory = BUILT): PageFiles {
  if (!existsSync(directory)) {
    throw new Error(`the pages are not built: there is no ${directory}. Run npm run build, then start again`)
  }
  const documents = new Map<string, string>()
  const assets = new Map<string, PageFile>()
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    if (name.endsWith('.html')) documents.set(name, readFileSync(path, 'utf8'))
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
    if (type === undefined) continue
    const read = (ending: string) =>
      existsSync(path + ending) ? bodyOf(readFileSync(path + ending)) : undefined
    assets.set(name, { type, plain: bodyOf(readFileSync(path)), gzip: read('.gz'), br: read('.br') })
  }
  return { documents, assets }
}

/** Returns a body with its tag, made when first asked for: a start reads more than any visitor. */
export function bodyOf(content: Uint8Array): PageBody {
  const bytes = new Uint8Array(content)
  let etag: string | undefined
  return {
    bytes,
    get etag() {
      etag ??= `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
      return etag
    },
  }
}
