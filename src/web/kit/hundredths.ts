import { plainNumber } from './typed-number.js'

/** Reads typed text as whole hundredths, `6.5`, `₹1,000` or `१२.५०`; undefined if it is not a number. */
export function hundredthsIn(text: string): number | undefined {
  const plain = plainNumber(text)
  if (plain === undefined || !/^\d{0,12}(?:\.\d{0,2})?$/.test(plain)) return undefined
  return Math.round(Number(plain) * 100)
}

/** Formats hundredths (ticks, lots, paise) as typed: `6.5`, `10`. */
export function hundredthsText(hundredths: number): string {
  return String(hundredths / 100)
}
