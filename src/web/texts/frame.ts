import { en } from './en/frame.js'
import { isHindi } from './language.js'

/** Texts of the frame: header, footer, introduction, usernames. */
export const t: typeof en = isHindi ? (await import('./hi/shared.js')).frame : en
