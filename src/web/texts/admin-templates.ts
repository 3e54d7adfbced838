import { en } from './en/admin-templates.js'
import { isHindi } from './language.js'

/** Texts about templates of events. */
export const t: typeof en = isHindi ? (await import('./hi/operating.js')).adminTemplates : en
