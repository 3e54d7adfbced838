import { closeSync, readSync } from 'node:fs'
import { openIfThere } from './open-if-there.js'

const PAGE_SIZE_OFFSET = 16
const HEAD_BYTES = 18
/** The first byte of a page of rows, and the offset of the pointer to its first row. */
const LEAF = 13
const FIRST_ROW_OFFSET = 8
/** A row's head: its length, its key, the length of the types, and the type of each column. */
const ROW_HEAD_BYTES = 6
const HASH_TYPE = 12 + 2 * 32
/** The bytes of an integer by its type; types 8 and 9 are the numbers 0 and 1. */
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6]
const ZERO_TYPE = 8

/**
 * Reads the tables' mark from the file itself, as if it had no log; undefined if the page is not the one of
 * `reached` (https://sqlite.org/fileformat2.html#b_tree_pages). No connection of this process may have the
 * file open.
 *
 * @param page the number of the table's page
 */
export function reachedInFile(file: string, page: number): number | undefined {
  const descriptor = openIfThere(file)
  if (descriptor === undefined) return undefined
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    readSync(descriptor, head, 0, head.length, 0)
    const bytes = Buffer.alloc(head.readUInt16BE(PAGE_SIZE_OFFSET))
    const length = readSync(descriptor, bytes, 0, bytes.length, (page - 1) * bytes.length)
    return bytes.length > FIRST_ROW_OFFSET && length === bytes.length ? markIn(bytes) : undefined
  } finally {
    closeSync(descriptor)
  }
}

function markIn(page: Buffer): number | undefined {
  const row = page.readUInt16BE(FIRST_ROW_OFFSET)
  if (page[0] !== LEAF || row + ROW_HEAD_BYTES + 8 > page.length) return undefined
  const [, key, , keyType, type = 0, hashType] = page.subarray(row)
  if (key !== 1 || keyType !== 0 || hashType !== HASH_TYPE) return undefined
  if (type >= ZERO_TYPE) return type - ZERO_TYPE
  const bytes = INTEGER_BYTES[type] ?? 0
  return bytes === 0 ? undefined : page.readUIntBE(row + ROW_HEAD_BYTES, bytes)
}
