/** Reads typed text as whole hundredths, `6.5` or `1,000`; undefined if it is not a number. */
export function hundredthsIn(text: string): number | undefined {
  const plain = text.replaceAll(',', '').trim()
  if (!/^(?:\d{1,12}(?:\.\d{0,2})?|\.\d{1,2})$/.test(plain)) return undefined
  return Math.round(Number(plain) * 100)
}
