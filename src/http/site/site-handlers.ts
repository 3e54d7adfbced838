import { Hono } from 'hono'
import type { Access } from '../../access/access.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { SiteStore } from '../../site/site-store.js'
import type { AccountOptions } from '../auth/auth-door.js'
import type { OperatorGuards } from '../middleware/operator-guard.js'
import type { SiteFacts } from '../pages/site-facts.js'
import { RAAY } from '../pages/site-facts.js'
import { announcementRoutes } from './announcement-handlers.js'
import { commentListRoutes } from './comment-list-handlers.js'
import { commentRoutes } from './comment-handlers.js'
import { eventImageRoutes } from './event-image-handlers.js'
import { peopleRoutes } from './people-handlers.js'
import { settingsRoutes } from './settings-handlers.js'
import { templateRoutes } from './template-handlers.js'

interface SiteRooms {
  readonly exchange: Exchange
  readonly site: SiteStore
  readonly access: Access
  readonly accounts: AccountOptions
  readonly look?: () => SiteFacts
}

/** Serves everything that people and operators put on the site. */
export function siteRoutes(
  { exchange, site, access, accounts, look = () => RAAY }: SiteRooms,
  guards: OperatorGuards,
): Hono {
  const { audit } = accounts.store
  // Where anybody may read everything anyway, nobody needs to agree.
  const isPublicByDefault = access.mode === 'open'
  return new Hono()
    .route('/', peopleRoutes({ exchange, site, isPublicByDefault }))
    .route('/', commentListRoutes({ exchange, site, audit, guards }))
    .route('/events', commentRoutes({ exchange, site, audit, guards }))
    .route('/admin', announcementRoutes({ exchange, site, audit, guards }))
    .route('/events', eventImageRoutes({ exchange, site, audit, guards }))
    .route('/portfolio', settingsRoutes(exchange, site))
    .route('/admin', templateRoutes({ exchange, site, audit, guards, look }))
}
