import { en } from './en/portfolio.js'
import { isHindi } from './language.js'

/** Texts of the portfolio: worth, lists, statement. */
export const t: typeof en = isHindi ? (await import('./hi/trading.js')).portfolio : en
