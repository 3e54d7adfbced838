import { en } from './en/admin-fees.js'
import { isHindi } from './language.js'

/** Texts of fees on the operator pages. */
export const t: typeof en = isHindi ? (await import('./hi/operating.js')).adminFees : en
