import { FEE_RATE_MAX } from '../../core/fees.js'
import type { SettingRows } from './setting-types.js'
import { listOf, WrongValue, wholeNumber } from './setting-types.js'

const POINTS = 'basis points'
const CATEGORY = /^(.+?)\s*=\s*(\d{1,4})(?:\/(\d{1,4}))?$/

interface CategoryFee {
  readonly category: string
  readonly taker: number
  readonly maker?: number
}

const CATEGORIES = listOf((text): CategoryFee => {
  const [, category, taker, maker] = CATEGORY.exec(text) ?? []
  const isWithin = [taker, maker ?? '0'].every(rate => Number(rate) <= FEE_RATE_MAX)
  if (category === undefined || !isWithin) {
    throw new WrongValue(`names ${text}: give Cricket=50 or Cricket=50/10, each at most ${FEE_RATE_MAX}`)
  }
  return { category, taker: Number(taker), ...(maker !== undefined && { maker: Number(maker) }) }
})

/** The settings of fees. */
export const FEE_SETTINGS = {
  'fee-taker': {
    variable: 'RAAY_FEE_TAKER',
    fallback: '0',
    help: 'fee of orders that fill on arrival, of price × (payout − price) ÷ payout',
    type: wholeNumber(0, FEE_RATE_MAX, POINTS),
  },
  'fee-maker': {
    variable: 'RAAY_FEE_MAKER',
    fallback: '0',
    help: 'the same, of orders that rested before',
    type: wholeNumber(0, FEE_RATE_MAX, POINTS),
  },
  'fee-category': {
    variable: 'RAAY_FEE_CATEGORY',
    fallback: '',
    help: 'other rates for categories, such as Cricket=50/10 (taker/maker), separated by commas',
    type: CATEGORIES,
  },
} as const satisfies SettingRows
