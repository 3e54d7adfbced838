import type { CompanionKind } from '../store/companions/companion-kind.js'
import { EXCHANGE_TABLE } from '../store/companions/companion-kind.js'
import { OUTBOX_TABLES, PACK_EPOCH_COLUMN } from '../store/companions/companion-outbox.js'
import { ANNOUNCEMENTS_TABLE } from './announcements.js'
import { COMMENTS_TABLE } from './comments.js'
import { EVENT_IMAGES_TABLE } from './event-images.js'
import { EVENT_SCHEDULES_TABLE } from './event-schedules.js'
import { EVENT_TEMPLATES_TABLE } from './event-templates.js'
import { MENTIONS_TABLE } from './mentions.js'
import { PROFILES_TABLE } from './profiles.js'
import { USER_SETTINGS_TABLE } from './user-settings.js'
import { WATCHLISTS_TABLE } from './watchlists.js'
import { WEBHOOK_TABLES } from './webhook-deliveries.js'
import { NOTICE_TABLES } from './webhook-notices.js'

/** Marks the file as Raay's site: "Raas". */
const APPLICATION_ID = 0x52616173

const TABLES = [
  USER_SETTINGS_TABLE,
  WATCHLISTS_TABLE,
  COMMENTS_TABLE,
  PROFILES_TABLE,
  EVENT_IMAGES_TABLE,
  ANNOUNCEMENTS_TABLE,
  EVENT_TEMPLATES_TABLE,
  EVENT_SCHEDULES_TABLE,
  EXCHANGE_TABLE,
]

/** The file of the site. */
export const SITE_FILE: CompanionKind = {
  companion: 'site',
  name: 'the site',
  description: 'a file of the site of Raay',
  applicationId: APPLICATION_ID,
  schema: {
    first: 10,
    tables: TABLES.join(''),
    steps: [MENTIONS_TABLE, WEBHOOK_TABLES, NOTICE_TABLES, OUTBOX_TABLES, PACK_EPOCH_COLUMN],
  },
  isSynced: false,
}
