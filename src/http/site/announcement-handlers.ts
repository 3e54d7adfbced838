import type { AuditLog } from '../../access/accounts/audit-log.js'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { timeOf } from '../../api/moment.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { announcementSchema } from '../../api/site/announcement-schema.js'
import { validate } from '../../api/validation.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { SiteStore } from '../../site/site-store.js'
import { readJson } from '../middleware/body.js'
import { success } from '../middleware/envelope.js'
import { announcementView } from './announcement-view.js'
import { byOf } from '../routing/needs.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { announcementRoutes } from '../../api/operator/announcement-routes.js'

interface AnnouncementRooms {
  readonly exchange: Exchange
  readonly site: SiteStore
  readonly audit: AuditLog
}

/**
 * Lets operators read, publish, replace and remove the announcement; everybody else reads it in `GET /`. Each
 * change is written to the audit log first: nothing is published without a line there.
 */
export function announcementHandlers({ exchange, site, audit }: AnnouncementRooms): Binding[] {
  const { announcements } = site
  const log = (call: Call, kind: 'announcement_published' | 'announcement_removed', detail: string) => {
    const { who, address } = byOf(call)
    audit.write(kind, { name: '', by: who, address, detail })
  }
  const latest = () => {
    const { latest } = announcements
    return { announcement: latest === undefined ? null : announcementView(latest) }
  }
  return [
    handle(announcementRoutes.getAnnouncement, call =>
      success(call, 200, DONE.announcementFetched, latest()),
    ),
    handle(announcementRoutes.publishAnnouncement, async call => {
      const { kind, en, hi = null, until: end } = validate(announcementSchema, await readJson(call))
      const until = end === undefined || end === null ? null : timeOf(end)
      if (until !== null && until <= exchange.now()) throw new ApiError(422, REFUSED.untilIsPast)
      log(call, 'announcement_published', `${kind}: ${[en, hi].filter(text => text !== null).join(' / ')}`)
      announcements.put({ kind, en, hi, until })
      return success(call, 200, DONE.announcementPublished, latest())
    }),
    handle(announcementRoutes.removeAnnouncement, call => {
      const { latest: gone } = announcements
      if (gone !== undefined) {
        log(call, 'announcement_removed', gone.en)
        announcements.remove()
      }
      return success(call, 200, DONE.announcementRemoved)
    }),
  ]
}
