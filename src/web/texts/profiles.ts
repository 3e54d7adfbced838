import { en } from './en/profiles.js'
import { isHindi } from './language.js'

/** Texts of the leaderboard, of profiles, and of what has just been traded. */
export const t: typeof en = isHindi ? (await import('./hi/trading.js')).profiles : en
