/** Initial hash of a line. */
export const LINE_START = 0x811c9dc5

const PRIME = 0x01000193
const ZERO = 48
const MINUS = 45
/** Digits that a number below 2^31 may have. */
const digits = new Uint8Array(10)
const PART = 1e9
const PART_LENGTH = 9

/**
 * Adds a text to a 32-bit hash (FNV-1a over its UTF-16 units): each step is a bijection, so lines that differ
 * in one character have different hashes. It guards against mistakes and rot, not against a line forged to
 * match.
 */
export function hashText(start: number, text: string): number {
  let hash = start
  for (let index = 0; index < text.length; index++) hash = hashUnit(hash, text.charCodeAt(index))
  return hash
}

/** Adds one UTF-16 unit. */
export function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, PRIME)
}

/** Adds a number as its text would be, without making the text of an integer. */
export function hashNumber(start: number, value: number): number {
  if (!Number.isSafeInteger(value)) return hashText(start, String(value))
  const hash = value < 0 ? hashUnit(start, MINUS) : start
  const size = Math.abs(value)
  if (size < PART) return hashDigits(hash, size, 1)
  const high = Math.floor(size / PART)
  return hashDigits(hashNumber(hash, high), size - high * PART, PART_LENGTH)
}

/** Adds the digits of an integer below 2^31, at least this many. */
function hashDigits(start: number, value: number, least: number): number {
  let rest = value | 0
  let length = 0
  while (rest > 0 || length < least) {
    const tenth = (rest / 10) | 0
    digits[length++] = ZERO + rest - tenth * 10
    rest = tenth
  }
  let hash = start
  while (length > 0) hash = hashUnit(hash, digits[--length] as number)
  return hash
}

/** Returns the hash of a whole line, never 0, which stands for a missing row. */
export function lineHash(hash: number): number {
  return hash === 0 ? 1 : hash
}
