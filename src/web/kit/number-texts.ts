import { t } from '../texts/kit.js'
import { locale } from '../texts/language.js'

const RUPEES = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'INR',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})
const NUMBER = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
const SHORT = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
const WHOLE = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
const WHOLE_FROM = 1000
const LAKH = 100_000
const CRORE = 10_000_000

/** `₹1,23,456.50`, `−₹3.00`; with `sign`, gains carry a plus. Cut to paise: what is below is not shown. */
export function rupeesText(rupees: number, sign: 'plain' | 'signed' = 'plain'): string {
  const paise = Math.round(Math.abs(rupees) * 100)
  const text = RUPEES.format(paise / 100)
  if (paise === 0) return text
  if (rupees < 0) return `−${text}`
  return sign === 'signed' ? `+${text}` : text
}

/** `₹100`: rupees that are whole. */
export function wholeRupeesText(rupees: number): string {
  return RUPEES.format(rupees).replace(/\.00$/, '')
}

/**
 * Contracts and counts: `1,23,456.5` in full; where room is scarce `1.2 lakh` and `3.4 crore`, and no
 * hundredths of thousands.
 */
export function countText(count: number, room: 'full' | 'scarce' = 'full'): string {
  if (room === 'full' || count < WHOLE_FROM) return NUMBER.format(count)
  if (Math.round(count) < LAKH) return WHOLE.format(count)
  // A number that would round up to a crore is written as one.
  if (count < CRORE - LAKH / 20) return t.lakh(SHORT.format(count / LAKH))
  return t.crore(SHORT.format(count / CRORE))
}

/**
 * Formats a chance from 0 to 1 as `62.5%`, or as `63%` in a headline, where tenths are kept below 1% and
 * above 99%. A dash while it is unknown.
 */
export function chanceText(chance: number | undefined, size: 'exact' | 'headline' = 'exact'): string {
  if (chance === undefined) return '–'
  const isPlain = size === 'headline' && chance >= 0.01 && chance <= 0.99
  return `${isPlain ? WHOLE.format(chance * 100) : SHORT.format(chance * 100)}%`
}

/** Returns the class of a gain, `gain`, or a loss, `loss`; empty where there is neither. */
export function gainTone(rupees: number): 'gain' | 'loss' | '' {
  if (rupees === 0) return ''
  return rupees > 0 ? 'gain' : 'loss'
}
