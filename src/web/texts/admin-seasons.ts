import { en } from './en/admin-seasons.js'
import { isHindi } from './language.js'

/** Texts of seasons on the operator pages. */
export const t: typeof en = isHindi ? (await import('./hi/operating.js')).adminSeasons : en
