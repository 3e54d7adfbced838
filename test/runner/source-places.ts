import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/**
 * A place in a compiled file as stacks name it: `dist/test/run.js:20:7`, with or without what is before. It is
 * sought from the beginning of a word only: from each letter, the megabyte of a long failure would take an hour.
 */
const COMPILED =
  /(?<![^\s():'"[])(?:file:\/\/)?(?:[^\s():'"[]*\/)?(dist\/(?:src|test)\/[^\s():]{1,200}\.js):(\d+):(\d+)/g

/**
 * Returns a text with the places in compiled files replaced by those in their sources, `test/run.ts:31:9`. Node
 * would do that with --enable-source-maps, for which each process reads the maps of all its modules.
 */
export function withSourcePlaces(text: string): string {
  return text.replace(COMPILED, (whole, path: string, line: string, column: string) => {
    try {
      const compiled = resolve(ROOT, path)
      const map = new SourceMap(JSON.parse(readFileSync(`${compiled}.map`, 'utf8')))
      const found = map.findEntry(Number(line) - 1, Number(column) - 1)
      if (!('originalSource' in found)) return whole
      const source = relative(ROOT, resolve(dirname(compiled), found.originalSource))
      return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`
    } catch {
      return whole
    }
  })
}
