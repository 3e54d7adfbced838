import { en } from './en/admin-webhooks.js'
import { isHindi } from './language.js'

/** Texts of webhooks on the operator pages. */
export const t: typeof en = isHindi ? (await import('./hi/operating.js')).adminWebhooks : en
