/** Initial hash of a line. */
export const LINE_START = 0x811c9dc5

/**
 * Adds a text to a 32-bit hash (FNV-1a over its UTF-16 units): each step is a bijection, so lines that differ
 * in one character have different hashes. It guards against mistakes and rot, not against a line forged to
 * match.
 */
export function hashText(start: number, text: string): number {
  let hash = start
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash
}

/** Returns the hash of a whole line, never 0, which stands for a missing row. */
export function lineHash(hash: number): number {
  return hash === 0 ? 1 : hash
}
