import { en } from './en/ticket.js'
import { isHindi } from './language.js'

/** Texts of trading: the ticket, exits, changes to orders, and why orders are refused. */
export const t: typeof en = isHindi ? (await import('./hi/trading.js')).ticket : en
