/** Text is aligned left, figures right. */
type Alignment = 'left' | 'right'

/**
 * Formats rows in columns as wide as their widest text. The texts must be printable.
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

/** Cuts a text to this many characters; the last one is then an ellipsis. */
export function shortened(text: string, lengthMax: number): string {
  const characters = [...text]
  return characters.length > lengthMax ? `${characters.slice(0, lengthMax - 1).join('')}…` : text
}

/** Formats a time to the minute: `2026-11-21 18:30`, UTC. */
export const minute = (iso: string) => iso.slice(0, 16).replace('T', ' ')

/** Counts characters; combining marks take no width of their own. */
function lengthOf(text: string): number {
  return [...text.replace(/\p{Mn}/gu, '')].length
}
