import { en } from './en/admin-list.js'
import { isHindi } from './language.js'

/** Texts for the list of events on the operator pages. */
export const t: typeof en = isHindi ? (await import('./hi/operating.js')).adminList : en
