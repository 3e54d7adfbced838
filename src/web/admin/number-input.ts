import { plainNumber } from '../kit/typed-number.js'

const NUMBER = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 4 })

/** Reads a number as typed, `1,00,000.5`, `₹ 500` or `५००`; undefined if it is not a number. */
export function numberIn(text: string): number | undefined {
  const plain = plainNumber(text)
  return plain === undefined ? undefined : Number(plain)
}

/** Formats a number for an input. */
export function writtenNumber(value: number): string {
  return NUMBER.format(value)
}
