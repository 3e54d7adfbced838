import { en } from './en/admin-frame.js'
import { isHindi } from './language.js'

/** Texts of the operator pages: frame, sign-in, lists. */
export const t: typeof en = isHindi ? (await import('./hi/operating.js')).adminFrame : en
