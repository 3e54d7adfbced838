/** What a hash of a line starts with. */
export const LINE_START = 0x811c9dc5

/**
 * Takes a text into a 32-bit hash (FNV-1a over its UTF-16 units): each step is a bijection, so that of two
 * lines that differ in one character the hashes differ too. It guards against mistakes and rot, not against
 * one who makes a line to fit.
 */
export function hashText(start: number, text: string): number {
  let hash = start
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash
}

/** The hash of a whole line, never 0: that says that there is no row. */
export function lineHash(hash: number): number {
  return hash === 0 ? 1 : hash
}
