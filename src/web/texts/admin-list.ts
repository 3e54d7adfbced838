import { en } from './en/admin-list.js'
import { isHindi } from './language.js'

/** Texts of the operator's list of events. */
export const t: typeof en = isHindi ? (await import('./hi/operating.js')).adminList : en
