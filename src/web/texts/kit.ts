import { en } from './en/kit.js'
import { isHindi } from './language.js'

/** Texts of the kit: numbers, times, errors, forms. */
export const t: typeof en = isHindi ? (await import('./hi/shared.js')).kit : en
