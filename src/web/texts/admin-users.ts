import { en } from './en/admin-users.js'
import { isHindi } from './language.js'

/** Texts of the operator pages: balances, limits, deposits and withdrawals. */
export const t: typeof en = isHindi ? (await import('./hi/operating.js')).adminUsers : en
