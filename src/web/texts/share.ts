import { en } from './en/share.js'
import { isHindi } from './language.js'

/** Texts of sharing. */
export const t: typeof en = isHindi ? (await import('./hi/trading.js')).share : en
