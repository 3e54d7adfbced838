import { en } from './en/admin-log.js'
import { isHindi } from './language.js'

/** Texts of the operator pages: The log of actions, and the audit. */
export const t: typeof en = isHindi ? (await import('./hi/operating.js')).adminLog : en
