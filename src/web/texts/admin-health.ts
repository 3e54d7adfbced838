import { en } from './en/admin-health.js'
import { isHindi } from './language.js'

/** Texts of the operator pages: health. */
export const t: typeof en = isHindi ? (await import('./hi/operating.js')).adminHealth : en
