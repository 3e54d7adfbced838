import { en } from './en/notices.js'
import { isHindi } from './language.js'

/** Texts of what happened: toasts, the bell, its settings. */
export const t: typeof en = isHindi ? (await import('./hi/trading.js')).notices : en
