/** Whether a column's texts stand at its left or, as figures do, at its right. */
type Alignment = 'left' | 'right'

/**
 * Rows below each other, in columns as wide as their widest text. Nothing is in the texts that a terminal
 * would not print as it is.
 */
export function table(
  rows: readonly (readonly string[])[],
  alignments: readonly (Alignment | undefined)[] = [],
): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, text] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, lengthOf(text))
  }
  const cell = (text: string, column: number) => {
    const spaces = ' '.repeat((widths[column] ?? 0) - lengthOf(text))
    return alignments[column] === 'right' ? spaces + text : text + spaces
  }
  return rows.map(row => `${row.map(cell).join('  ').trimEnd()}\n`).join('')
}

/** As many characters as a text has, with at most so many left of it. */
export function shortened(text: string, lengthMax: number): string {
  const characters = [...text]
  return characters.length > lengthMax ? `${characters.slice(0, lengthMax - 1).join('')}…` : text
}

/** `2026-11-21 18:30`, UTC. */
export const minute = (iso: string) => iso.slice(0, 16).replace('T', ' ')

/** Marks that are written over the letter before them take no place of their own. */
function lengthOf(text: string): number {
  return [...text.replace(/\p{Mn}/gu, '')].length
}
