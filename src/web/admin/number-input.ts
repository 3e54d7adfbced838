const NUMBER = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 4 })

/** `1,00,000.5`, as people type it: with or without commas, spaces and ₹; undefined where it is no number. */
export function numberIn(text: string): number | undefined {
  const digits = text.replace(/[\s,₹]/g, '')
  return /^(?:\d+\.?\d*|\.\d+)$/.test(digits) ? Number(digits) : undefined
}

/** The same the other way. */
export function writtenNumber(value: number): string {
  return NUMBER.format(value)
}
