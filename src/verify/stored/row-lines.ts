/** Separates the columns of a line. Text accepted by the exchange never contains it. */
export const SEPARATOR = '\u001f'

/** Marks an optional value, to distinguish NULL from an empty text. */
export function orNone(value: string | number | null | undefined): string {
  return value === undefined || value === null ? '-' : `=${value}`
}
