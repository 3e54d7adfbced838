/**
 * The kinds of columns. `paise`: a price or a quantity in hundredths; `units`: an amount of money in
 * ₹0.0001. Both are integers in memory, and never a float in a file.
 */
export type ColumnKind = 'text' | 'whole' | 'paise' | 'units' | 'time' | 'flag'

/** A column of an export. */
export interface Column {
  readonly name: string
  readonly kind: ColumnKind
}

/** A value as SQLite returns it: times in milliseconds, flags as 0 or 1. */
export type Cell = string | number | null
export type Row = readonly Cell[]

/** The digits behind the decimal point of each kind of decimal number. */
export const DECIMALS = { paise: 2, units: 4 } as const

/** Writes an integer as a decimal number: 65000 units are `6.5000`. */
export function decimalText(value: number, decimals: number): string {
  const digits = String(Math.abs(value)).padStart(decimals + 1, '0')
  const sign = value < 0 ? '-' : ''
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Writes a time as `2026-11-22T10:00:00.000Z`. */
export const timeText = (ms: number) => new Date(ms).toISOString()
