import { en } from './en/admin-house.js'
import { isHindi } from './language.js'

/** Texts of house quotes on the operator pages. */
export const t: typeof en = isHindi ? (await import('./hi/operating.js')).adminHouse : en
