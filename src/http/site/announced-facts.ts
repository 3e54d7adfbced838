import type { Access } from '../../access/access.js'
import type { Announcement, Announcements } from '../../site/announcements.js'
import type { SiteFacts } from '../pages/site-facts.js'
import { announcementView } from './announcement-view.js'

/** Adds the current announcement to the facts of the site. They stay the same object while both stay. */
export function announcedFacts(look: () => SiteFacts, announcements: Announcements): () => SiteFacts {
  let given: SiteFacts | undefined
  let shown: Announcement | undefined
  let facts: SiteFacts | undefined
  return () => {
    const [site, current] = [look(), announcements.current]
    if (facts === undefined || given !== site || shown !== current) {
      facts = current === undefined ? site : { ...site, announcement: announcementView(current) }
    }
    given = site
    shown = current
    return facts
  }
}

/**
 * Returns what visitors may know of the site: everything, or where only members read, its name and its look.
 * The facts stay the same object while those of the site do.
 */
export function factsForVisitors(
  whole: () => SiteFacts,
  access: Pick<Access, 'publicReads'>,
): () => SiteFacts {
  let given: SiteFacts | undefined
  let facts: SiteFacts | undefined
  return () => {
    const site = whole()
    if (access.publicReads) return site
    if (facts === undefined || given !== site) {
      const { contact, announcement, ...others } = site
      facts = { ...others, isMembersOnly: true }
    }
    given = site
    return facts
  }
}
