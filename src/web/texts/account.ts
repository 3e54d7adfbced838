import { en } from './en/account.js'
import { isHindi } from './language.js'

/** Texts of signing in and of one's own account. */
export const t: typeof en = isHindi ? (await import('./hi/account.js')).hi : en
