import { en } from './en/admin-groups.js'
import { isHindi } from './language.js'

/** Texts of groups of events on the operator pages. */
export const t: typeof en = isHindi ? (await import('./hi/operating.js')).adminGroups : en
