import type { AnnouncementAnswer } from '../../api/site/announcement-schema.js'
import type { Announcement } from '../../site/announcements.js'

/** Formats the announcement; its texts stay plain text. */
export function announcementView({ id, at, kind, en, hi, until }: Announcement): AnnouncementAnswer {
  const createdAt = new Date(at).toISOString()
  return { id, createdAt, kind, en, hi, until: until === null ? null : new Date(until).toISOString() }
}
