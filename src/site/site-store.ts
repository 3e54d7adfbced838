import type { TimeMs } from '../core/units.js'
import type { CompanionOptions } from '../store/companions/companion.js'
import { Companion } from '../store/companions/companion.js'
import type { Room } from '../store/room-state.js'
import { ENDLESS_ROOM } from '../store/room-state.js'
import { Announcements } from './announcements.js'
import { Comments } from './comments.js'
import { EventImages } from './event-images.js'
import { EventSchedules } from './event-schedules.js'
import { EventTemplates } from './event-templates.js'
import { Profiles } from './profiles.js'
import type { SiteContext } from './site-context.js'
import { SITE_FILE } from './site-schema.js'
import { UserSettings } from './user-settings.js'
import { Watchlists } from './watchlists.js'
import { WebhookDeliveries } from './webhook-deliveries.js'
import { WebhookNotices } from './webhook-notices.js'

/** The file, such as `data/site.db`, and what must fit it; and what the store depends on. */
export interface SiteStoreOptions extends CompanionOptions {
  readonly now: () => TimeMs
  /** The disk's room: while it is low, nothing is written that makes the file grow. */
  readonly room?: Room
}

/**
 * Keeps everything that people and operators put on the site; no order depends on any of it. Statements run
 * on the main thread; each reads and writes a bounded number of rows. No commit waits for the disk: a power
 * cut may take the last ones, each as a whole. On a full disk a write throws, and reads go on.
 */
export class SiteStore {
  readonly settings: UserSettings
  readonly announcements: Announcements
  readonly comments: Comments
  readonly images: EventImages
  readonly profiles: Profiles
  readonly schedules: EventSchedules
  readonly templates: EventTemplates
  readonly watchlists: Watchlists
  readonly webhooks: WebhookDeliveries
  readonly notices: WebhookNotices
  /** The file, which is perhaps in doubt. */
  readonly file: Companion

  /** Opens the file. If it is in doubt, the site is empty, and refuses changes. */
  constructor(options: SiteStoreOptions) {
    const { now, room = ENDLESS_ROOM } = options
    const database = new Companion(options, SITE_FILE)
    this.file = database
    const growthRefusal = () => (room.state === 'ok' ? undefined : 'disk_low')
    const context: SiteContext = { database, now, growthRefusal }
    this.settings = new UserSettings(context)
    this.announcements = new Announcements(context)
    this.comments = new Comments(context)
    this.images = new EventImages(context)
    this.schedules = new EventSchedules(context)
    this.templates = new EventTemplates(context)
    this.profiles = new Profiles(context)
    this.watchlists = new Watchlists(context)
    this.webhooks = new WebhookDeliveries(context)
    this.notices = new WebhookNotices(context)
  }

  /** Reads again what it keeps of tables that another exchange has changed. */
  noteFollowed(tables: readonly string[]): void {
    if (tables.includes('profiles')) this.profiles.reread()
  }

  /** Goes on with the file that another exchange has changed. */
  lead(): void {
    this.profiles.reread()
    this.comments.recount()
    this.watchlists.recount()
    this.settings.recount()
  }

  close(): void {
    this.file.close()
  }
}
