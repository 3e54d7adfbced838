/** Digits as other scripts write them: those of Devanagari begin at U+0966. */
const DEVANAGARI_ZERO = 0x966

/**
 * Returns a number as typed in plain digits, `6.5`: ₹ and spaces around it are dropped, and so are commas or
 * spaces between groups of digits (`1,00,000`, `1 000`); Devanagari digits are read. Undefined if it is not a
 * number: `6,50` may mean two things.
 */
export function plainNumber(text: string): string | undefined {
  const ascii = text.replace(/[०-९]/g, digit => String(digit.charCodeAt(0) - DEVANAGARI_ZERO))
  const [, number] = /^(?:₹|rs\.?|inr)?\s*(.*?)\s*(?:₹|\/-)?$/isu.exec(ascii.trim()) ?? []
  if (number === undefined) return undefined
  const grouped = number.replace(/\s+/g, ',')
  if (/^\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d*)?$/.test(grouped)) return grouped.replaceAll(',', '')
  return /^(?:\d+\.?\d*|\.\d+)$/.test(grouped) ? grouped : undefined
}
