const NUMBER = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 4 })

/** Reads a number as typed, `1,00,000.5` or `₹ 500`; undefined if it is not a number. */
export function numberIn(text: string): number | undefined {
  const digits = text.replace(/[\s,₹]/g, '')
  return /^(?:\d+\.?\d*|\.\d+)$/.test(digits) ? Number(digits) : undefined
}

/** Formats a number for an input. */
export function writtenNumber(value: number): string {
  return NUMBER.format(value)
}
