import { z } from 'zod'
import { DONE } from '../answer-texts.js'
import { LIMITS } from '../limits.js'
import { REFUSED } from '../refusal-texts.js'
import { announcementAnswer, announcementSchema } from '../site/announcement-schema.js'
import { route } from '../route.js'

const written = {
  kind: 'warning',
  en: 'Trading stops for an hour on Sunday.',
  hi: 'रविवार को एक घंटे ट्रेडिंग बंद रहेगी।',
  until: '2099-02-01T12:00:00.000Z',
}
const announcement = { id: 1, createdAt: '2026-02-01T09:31:00.000Z', ...written }
const additional = z.object({ announcement: announcementAnswer.nullable() })
const samples = { announcement: { additional: { announcement } } }

/** The announcement on top of the pages. */
export const announcementRoutes = {
  getAnnouncement: route({
    id: 'getAnnouncement',
    method: 'GET',
    path: '/admin/announcement',
    needs: 'operator:read',
    group: 'Operator',
    summary: 'Get the announcement',
    description: 'Null if there is none. Everybody reads the current one in `GET /`.',
    answers: [{ code: 200, message: DONE.announcementFetched, additional, samples }],
    refusals: {},
  }),
  publishAnnouncement: route({
    id: 'publishAnnouncement',
    method: 'PUT',
    path: '/admin/announcement',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Publish an announcement, which replaces the one before',
    description:
      'Everybody sees it on top of the trading and account pages, and may dismiss it. ' +
      'The audit log has the beginning of its text.',
    body: { schema: announcementSchema, samples: { announcement: written } },
    answers: [{ code: 200, message: DONE.announcementPublished, additional, samples }],
    refusals: {
      422: [`en: Expected 1 to ${LIMITS.announcementLengthMax} characters`, REFUSED.untilIsPast],
    },
  }),
  removeAnnouncement: route({
    id: 'removeAnnouncement',
    method: 'DELETE',
    path: '/admin/announcement',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Remove the announcement',
    answers: [{ code: 200, message: DONE.announcementRemoved, samples: { removed: {} } }],
    refusals: {},
  }),
}
