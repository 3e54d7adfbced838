import { locale } from '../../../texts/language.js'

/** Writes amounts with all of their decimals. */
export interface ExactTexts {
  readonly plain: (rupees: number) => string
  /** With a plus where it is a gain. */
  readonly signed: (rupees: number) => string
}

/**
 * Returns how to write amounts that are read as one column: to the paisa, or all to ₹0.0001, the least that
 * the exchange knows, if one of them needs it. Rounded lines would not add up.
 */
export function exactTexts(amounts: readonly number[]): ExactTexts {
  const isPaise = (rupees: number) => Math.round(rupees * 10_000) % 100 === 0
  const decimals = amounts.every(isPaise) ? 2 : 4
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'INR',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  const plain = (rupees: number) => (rupees < 0 ? `−${format.format(-rupees)}` : format.format(rupees))
  return { plain, signed: rupees => (rupees > 0 ? `+${plain(rupees)}` : plain(rupees)) }
}
