import { en } from './en/markets.js'
import { isHindi } from './language.js'

/** Texts of the market list. */
export const t: typeof en = isHindi ? (await import('./hi/trading.js')).markets : en
