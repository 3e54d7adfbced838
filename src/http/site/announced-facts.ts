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
