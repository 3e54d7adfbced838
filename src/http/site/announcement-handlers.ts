import type { Context } from 'hono'
import { Hono } from 'hono'
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
import type { OperatorGuards } from '../middleware/operator-guard.js'
import { byOf } from '../middleware/operator-guard.js'
import { announcementView } from './announcement-view.js'

interface AnnouncementRooms {
  readonly exchange: Exchange
  readonly site: SiteStore
  readonly audit: AuditLog
  readonly guards: OperatorGuards
}

/**
 * Lets operators read, publish, replace and remove the announcement; everybody else reads it in `GET /`. Each
 * change is written to the audit log first: nothing is published without a line there.
 */
export function announcementRoutes({ exchange, site, audit, guards }: AnnouncementRooms): Hono {
  const { announcements } = site
  const log = (c: Context, kind: 'announcement_published' | 'announcement_removed', detail: string) => {
    const { who, address } = byOf(c)
    audit.write(kind, { name: '', by: who, address, detail })
  }
  const latest = () => {
    const { latest } = announcements
    return { announcement: latest === undefined ? null : announcementView(latest) }
  }
  return new Hono()
    .get('/announcement', guards.read, c => success(c, 200, DONE.announcementFetched, latest()))
    .put('/announcement', guards.operate, async c => {
      const { kind, en, hi = null, until: end } = validate(announcementSchema, await readJson(c))
      const until = end === undefined || end === null ? null : timeOf(end)
      if (until !== null && until <= exchange.now()) throw new ApiError(422, REFUSED.untilIsPast)
      log(c, 'announcement_published', `${kind}: ${[en, hi].filter(text => text !== null).join(' / ')}`)
      announcements.put({ kind, en, hi, until })
      return success(c, 200, DONE.announcementPublished, latest())
    })
    .delete('/announcement', guards.operate, c => {
      const { latest: gone } = announcements
      if (gone !== undefined) {
        log(c, 'announcement_removed', gone.en)
        announcements.remove()
      }
      return success(c, 200, DONE.announcementRemoved)
    })
}
