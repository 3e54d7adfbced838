import { closeSync, readSync } from 'node:fs'
import { ID_OFFSET, readLog } from './log-frames.js'
import { openIfThere } from './open-if-there.js'

/** Facts from a database and its write-ahead log. */
export interface UnopenedFile {
  /** `PRAGMA user_version`. */
  readonly version: number
  /** `PRAGMA application_id`; 0 for none. */
  readonly id: number
  /** The last key of each of its tables with an integer key, by name; 0 for an empty one. */
  readonly lastKeys: ReadonlyMap<string, number>
}

const MAGIC = 'SQLite format 3\0'
const PAGE_SIZE_OFFSET = 16
const VERSION_OFFSET = 60
const HEAD_BYTES = 100
/** The kinds of pages of a table: with rows, and with pages below (sqlite.org/fileformat2.html). */
const LEAF = 13
const INTERIOR = 5
/** Offsets within a page's header, and the first cell pointer behind it. */
const CELLS_OFFSET = 3
const LAST_CHILD_OFFSET = 8
const POINTERS_OFFSET: Readonly<Record<number, number>> = { [LEAF]: 8, [INTERIOR]: 12 }
/** A damaged file may have a circle of pages. */
const PAGES_MAX = 1000

/**
 * Reads a database without SQLite, which could not even look at one without writing beside it; undefined if
 * the file is missing or empty. No connection of this process may have it open. Throws if it is no database
 * or its first pages are damaged.
 */
export function readUnopened(file: string): UnopenedFile | undefined {
  const descriptor = openIfThere(file)
  if (descriptor === undefined) return undefined
  const log = openIfThere(`${file}-wal`)
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    if (readSync(descriptor, head, 0, HEAD_BYTES, 0) === 0 && log === undefined) return undefined
    const reader = new PageReader(descriptor, log, readLog(`${file}-wal`).pages)
    return reader.read(head)
  } finally {
    closeSync(descriptor)
    if (log !== undefined) closeSync(log)
  }
}

class PageReader {
  readonly #file: number
  readonly #log: number | undefined
  readonly #inLog: ReadonlyMap<number, number>
  #pageBytes = 0
  #pagesLeft = PAGES_MAX

  constructor(file: number, log: number | undefined, inLog: ReadonlyMap<number, number>) {
    this.#file = file
    this.#log = log
    this.#inLog = inLog
  }

  read(fileHead: Buffer): UnopenedFile | undefined {
    const head = this.#newestHead(fileHead)
    if (head === undefined) return undefined
    if (head.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error('it is not a database')
    const size = head.readUInt16BE(PAGE_SIZE_OFFSET)
    this.#pageBytes = size === 1 ? 65_536 : size
    const tables = [...this.#rowsBelow(1)].flatMap(row => tableIn(row) ?? [])
    return {
      version: head.readUInt32BE(VERSION_OFFSET),
      id: head.readUInt32BE(ID_OFFSET),
      lastKeys: new Map(tables.map(({ name, root }) => [name, this.#lastKey(root)])),
    }
  }

  /** Returns the head of page 1; undefined if nothing was ever committed. */
  #newestHead(fileHead: Buffer): Buffer | undefined {
    const offset = this.#inLog.get(1)
    if (offset === undefined) return fileHead.every(byte => byte === 0) ? undefined : fileHead
    const head = Buffer.alloc(HEAD_BYTES)
    readSync(this.#log as number, head, 0, HEAD_BYTES, offset)
    return head
  }

  /** Yields the rows of a table of a few pages. */
  *#rowsBelow(page: number): Generator<Buffer> {
    const { bytes, kind, cells, childLast } = this.#page(page)
    for (const cell of cells) {
      if (kind === LEAF) yield bytes.subarray(cell)
      else yield* this.#rowsBelow(bytes.readUInt32BE(cell))
    }
    if (kind === INTERIOR) yield* this.#rowsBelow(childLast)
  }

  #lastKey(root: number): number {
    let page = this.#page(root)
    while (page.kind === INTERIOR) page = this.#page(page.childLast)
    const last = page.cells.at(-1)
    if (page.kind !== LEAF || last === undefined) return 0
    const [, afterLength] = varint(page.bytes, last)
    return varint(page.bytes, afterLength)[0]
  }

  #page(number: number) {
    if (this.#pagesLeft-- === 0) throw new Error('its pages are damaged')
    const bytes = Buffer.alloc(this.#pageBytes)
    const inLog = this.#inLog.get(number)
    if (inLog === undefined) readSync(this.#file, bytes, 0, bytes.length, (number - 1) * this.#pageBytes)
    else readSync(this.#log as number, bytes, 0, bytes.length, inLog)
    const at = number === 1 ? HEAD_BYTES : 0
    const kind = bytes[at] ?? 0
    const pointers = at + (POINTERS_OFFSET[kind] ?? 0)
    const count = kind in POINTERS_OFFSET ? bytes.readUInt16BE(at + CELLS_OFFSET) : 0
    if (pointers + 2 * count > bytes.length) throw new Error('its pages are damaged')
    const cells = Array.from({ length: count }, (_, index) => bytes.readUInt16BE(pointers + 2 * index))
    const childLast = kind === INTERIOR ? bytes.readUInt32BE(at + LAST_CHILD_OFFSET) : 0
    return { bytes, kind, cells, childLast }
  }
}

/** Returns name and first page of a table from its row of the schema; undefined for what is no table. */
function tableIn(row: Buffer): { readonly name: string; readonly root: number } | undefined {
  const [, afterLength] = varint(row, 0)
  const [, head] = varint(row, afterLength)
  const [headBytes, firstType] = varint(row, head)
  const types: number[] = []
  for (let at = firstType; types.length < 4; ) {
    const [type, next] = varint(row, at)
    types.push(type)
    at = next
  }
  const [kind = 0, name = 0, of = 0, root = 0] = types
  const columns = head + headBytes
  const nameAt = columns + textBytes(kind)
  const rootAt = nameAt + textBytes(name) + textBytes(of)
  // The types of integers up to four bytes are their lengths.
  if (row.toString('utf8', columns, nameAt) !== 'table' || root < 1 || root > 4) return undefined
  const number = row.readUIntBE(rootAt, root)
  return { name: row.toString('utf8', nameAt, nameAt + textBytes(name)), root: number }
}

const textBytes = (type: number) => (type >= 13 ? (type - 13) / 2 : 0)

/** Reads a variable-length integer; returns it and the offset behind it. */
function varint(bytes: Buffer, from: number): [value: number, next: number] {
  let value = 0
  for (let at = from; at < from + 8; at++) {
    const byte = bytes.readUInt8(at)
    value = value * 128 + (byte & 127)
    if (byte < 128) return [value, at + 1]
  }
  return [value * 256 + bytes.readUInt8(from + 8), from + 9]
}
