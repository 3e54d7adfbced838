import { en } from './en/market.js'
import { isHindi } from './language.js'

/** Texts of the market page. */
export const t: typeof en = isHindi ? (await import('./hi/trading.js')).market : en
