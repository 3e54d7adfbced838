import { Hono } from 'hono'
import type { AuditLog } from '../../access/accounts/audit-log.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { SiteStore } from '../../site/site-store.js'
import type { OperatorGuards } from '../middleware/operator-guard.js'
import { commentRoutes } from './comment-routes.js'
import { settingsRoutes } from './settings-routes.js'

/** The rooms behind the routes of the site. */
interface SiteRooms {
  readonly exchange: Exchange
  readonly site: SiteStore
  readonly audit: AuditLog
  readonly guards: OperatorGuards
}

/** Serves everything that people and operators put on the site. */
export function siteRoutes(rooms: SiteRooms): Hono {
  return new Hono()
    .route('/events', commentRoutes(rooms))
    .route('/portfolio', settingsRoutes(rooms.exchange, rooms.site))
}
