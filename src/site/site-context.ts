import type { TimeMs } from '../core/units.js'
import type { CompanionWriter } from '../store/companions/companion.js'

/** Shared by the tables of the site. */
export interface SiteContext {
  readonly database: CompanionWriter
  readonly now: () => TimeMs
  /** Returns why nothing may be written that makes the file grow. */
  readonly growthRefusal: () => 'disk_low' | undefined
}

/** Why something could not be added to the site; nothing was written. */
export type SiteRefusal = 'comments_full' | 'disk_low' | 'site_full' | 'templates_full' | 'watchlist_full'
