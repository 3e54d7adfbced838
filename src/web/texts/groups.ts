import { en } from './en/groups.js'
import { isHindi } from './language.js'

/** Texts of groups of events. */
export const t: typeof en = isHindi ? (await import('./hi/trading.js')).groups : en
