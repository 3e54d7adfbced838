import type { SettingRows } from './setting-types.js'
import { RUPEES } from './setting-types.js'

/** The settings of house quotes. */
export const HOUSE_SETTINGS = {
  'house-liquidity': {
    variable: 'RAAY_HOUSE_LIQUIDITY',
    fallback: '0',
    help: 'budget of the house quotes that each new event or group gets; 0: none',
    type: RUPEES,
  },
  'house-liquidity-max': {
    variable: 'RAAY_HOUSE_LIQUIDITY_MAX',
    fallback: '',
    fallbackShown: 'no limit',
    help: 'the most that all house quotes together may be given',
    type: RUPEES,
  },
} as const satisfies SettingRows
