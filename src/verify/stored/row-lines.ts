/** Between the columns of a line. No text that came in through the door holds it. */
export const SEPARATOR = '\u001f'

/** A value that may be missing: nothing and an empty text are two things. */
export function orNone(value: string | number | null | undefined): string {
  return value === undefined || value === null ? '-' : `=${value}`
}
