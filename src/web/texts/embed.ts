import { en } from './en/embed.js'
import { isHindi } from './language.js'

/** Texts of the embedded card. */
export const t: typeof en = isHindi ? (await import('./hi/embed.js')).hi : en
