import { FEE_RATE_MAX } from '../../../core/fees.js'
import { rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/admin-fees.js'
import { numberIn } from '../number-input.js'

const CONTRACTS = 100
const POINTS = 10_000
const PERCENT = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 2 })

/** Reads a fee rate as typed; undefined unless it is whole basis points within the bounds. */
export function rateIn(text: string): number | undefined {
  const rate = numberIn(text)
  return rate !== undefined && Number.isInteger(rate) && rate <= FEE_RATE_MAX ? rate : undefined
}

/** Formats a rate as a percentage: 50 basis points are `0.5%`. */
export function percentText(rate: number): string {
  return `${PERCENT.format(rate / 100)}%`
}

/** Says what a rate costs at most: fees are highest where both outcomes cost the same. */
export function rateWords(rate: number, payout: number): string {
  const most = (CONTRACTS * rate * payout) / (4 * POINTS)
  return t.rate(percentText(rate), rupeesText(most), String(CONTRACTS), rupeesText(payout / 2))
}

/** Describes a rate as typed, for the hint of its field. */
export function rateHint(text: string, payout: number | undefined): string {
  if (text.trim() === '') return t.inherited
  const rate = rateIn(text)
  return rate === undefined || payout === undefined ? t.rateRange : rateWords(rate, payout)
}
