import type { Access } from '../../access/access.js'
import { foldedName } from '../../core/plain-name.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { SiteStore } from '../../site/site-store.js'
import type { AccountOptions } from '../auth/auth-door.js'
import type { Binding } from '../routing/handle.js'
import type { SiteFacts } from '../pages/site-facts.js'
import { RAAY } from '../pages/site-facts.js'
import { activityHandlers } from './activity-handlers.js'
import { announcementHandlers } from './announcement-handlers.js'
import { commentListHandlers } from './comment-list-handlers.js'
import { commentHandlers } from './comment-handlers.js'
import { eventImageHandlers } from './event-image-handlers.js'
import { peopleHandlers } from './people-handlers.js'
import { settingsHandlers } from './settings-handlers.js'
import { templateHandlers } from './template-handlers.js'

interface SiteRooms {
  readonly exchange: Exchange
  readonly site: SiteStore
  readonly access: Access
  readonly accounts: AccountOptions
  readonly look?: () => SiteFacts
}

/** Serves everything that people and operators put on the site. */
export function siteHandlers({ exchange, site, access, accounts, look = () => RAAY }: SiteRooms): Binding[] {
  const { audit } = accounts.store
  // Where anyone may read everything anyway, nobody needs to agree.
  const isPublicByDefault = access.mode === 'open'
  const isPublic = (userId: string) => site.profiles.choiceOf(userId) ?? isPublicByDefault
  return [
    ...peopleHandlers({ exchange, site, isPublicByDefault, isPublic }),
    ...activityHandlers({ exchange, isPublic }),
    ...commentListHandlers({ exchange, site, audit }),
    ...commentHandlers({ exchange, site, audit, userNamed: userNamer(exchange, access, accounts) }),
    ...announcementHandlers({ exchange, site, audit }),
    ...eventImageHandlers({ exchange, site, audit }),
    ...settingsHandlers(exchange, site),
    ...templateHandlers({ exchange, site, audit, look }),
  ]
}

/** Returns what finds the user whom a comment names, in any spelling that means no other. */
function userNamer({ archive }: Exchange, { mode }: Access, { store }: AccountOptions) {
  return (written: string): string | undefined => {
    const { userId, isKnown } = archive.userNamed(written)
    if (isKnown) return userId
    // An account that has never traded is a user as well.
    const account = mode === 'accounts' ? store.accounts.named(written)?.name : undefined
    const [like, ...others] = archive.usersLike(foldedName(written))
    return account ?? (others.length === 0 ? like : undefined)
  }
}
