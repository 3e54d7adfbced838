/**
 * The exchange's own units, as whole numbers: a tick is ₹0.01, a lot 0.01 contract, and a tick times a lot is
 * ₹0.0001, so that what the page says is what the exchange will do.
 */
export const TICKS_PER_RUPEE = 100
/** How many of the product of a tick and a lot make a rupee. */
export const UNITS_PER_RUPEE = 10_000

/** Reads typed text as whole hundredths, `6.5` or `1,000`; undefined if it is not a number. */
export function hundredthsIn(text: string): number | undefined {
  const plain = text.replaceAll(',', '').trim()
  if (!/^(?:\d{1,12}(?:\.\d{0,2})?|\.\d{1,2})$/.test(plain)) return undefined
  return Math.round(Number(plain) * 100)
}
