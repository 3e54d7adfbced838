import { en } from './en/people.js'
import { isHindi } from './language.js'

/** Texts of comments. */
export const t: typeof en = isHindi ? (await import('./hi/trading.js')).people : en
