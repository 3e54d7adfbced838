import { en } from './en/admin-access.js'
import { isHindi } from './language.js'

/** Texts of the operator pages: accounts, invitations, signing in. */
export const t: typeof en = isHindi ? (await import('./hi/operating.js')).adminAccess : en
