import { en } from './en/admin-events.js'
import { isHindi } from './language.js'

/** Texts of the operator's pages of events. */
export const t: typeof en = isHindi ? (await import('./hi/operating.js')).adminEvents : en
