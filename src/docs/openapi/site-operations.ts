import { DONE } from '../../api/answer-texts.js'
import { eventAnswers } from '../../api/events/event-answer.js'
import { imageSchema } from '../../api/events/event-image-schema.js'
import { FULL, REFUSED } from '../../api/refusal-texts.js'
import { settingsAnswer, settingsSchema, watchlistAnswer } from '../../api/site/settings-schema.js'
import type { Operation } from './operation.js'
import { samples } from './samples.js'

const settings = { ticket_confirm: 'always', notices_fills: false, bot_step: 0.5 }
const saved = { userid: 'asha', settings }
const watchlist = { userid: 'asha', events: ['1000001'] }

/** Settings and watchlists of users; pictures and emoji of events. */
export const siteOperations: readonly Operation[] = [
  {
    id: 'getSettings',
    method: 'get',
    path: '/portfolio/:userid/settings',
    group: 'Portfolio',
    summary: 'Get what pages remember for a user',
    answers: [
      {
        code: 200,
        message: DONE.settingsFetched,
        additional: settingsAnswer,
        samples: { settings: { additional: saved } },
      },
    ],
    refusals: {},
  },
  {
    id: 'saveSettings',
    method: 'put',
    path: '/portfolio/:userid/settings',
    group: 'Portfolio',
    summary: 'Replace what pages remember for a user',
    description:
      'They change nothing but pages: up to 50 named texts, numbers and booleans. The trading pages save ' +
      'what a user chooses, and keep names that they do not know. A program that adds its own reads first.',
    body: { schema: settingsSchema, samples: { settings: { settings } } },
    answers: [
      {
        code: 200,
        message: DONE.settingsSaved,
        additional: settingsAnswer,
        samples: { settings: { additional: saved } },
      },
    ],
    refusals: { 422: ['settings: Required'] },
  },
  {
    id: 'getWatchlist',
    method: 'get',
    path: '/portfolio/:userid/watchlist',
    group: 'Portfolio',
    summary: 'Get the events that a user watches, the latest first',
    answers: [
      {
        code: 200,
        message: DONE.watchlistFetched,
        additional: watchlistAnswer,
        samples: { 'one event': { additional: watchlist } },
      },
    ],
    refusals: {},
  },
  {
    id: 'addToWatchlist',
    method: 'put',
    path: '/portfolio/:userid/watchlist/:code',
    group: 'Portfolio',
    summary: 'Add an event to those that a user watches',
    answers: [
      {
        code: 200,
        message: DONE.watchlistSaved,
        additional: watchlistAnswer,
        samples: { 'one event': { additional: watchlist } },
      },
    ],
    refusals: { 404: [REFUSED.eventNotFound], 409: [FULL.watchlist_full] },
  },
  {
    id: 'removeFromWatchlist',
    method: 'delete',
    path: '/portfolio/:userid/watchlist/:code',
    group: 'Portfolio',
    summary: 'Remove an event from those that a user watches',
    answers: [
      {
        code: 200,
        message: DONE.watchlistSaved,
        additional: watchlistAnswer,
        samples: { 'no event': { additional: { userid: 'asha', events: [] } } },
      },
    ],
    refusals: {},
  },
  {
    id: 'setEventImage',
    method: 'put',
    path: '/events/:code/image',
    group: 'Operator',
    summary: 'Give an event an emoji or a picture',
    description:
      'An emoji, or a PNG, JPEG or WebP picture of at most 2 MB and 4 million pixels. It is shrunk to 640 ' +
      'pixels a side and encoded as WebP, so no metadata stays. It is in backups, not in the journal.',
    isOperators: true,
    body: { schema: imageSchema, samples: { emoji: { emoji: '🏏' } } },
    answers: [
      {
        code: 200,
        message: DONE.eventEdited,
        additional: eventAnswers.event,
        samples: { 'with an emoji': { additional: { ...samples.event, image: '🏏' } } },
      },
    ],
    refusals: {
      404: [REFUSED.eventNotFound],
      413: [REFUSED.pictureBodyTooLarge],
      422: ['emoji: Expected one emoji', REFUSED.pictureKind, REFUSED.picturePixels, REFUSED.pictureDamaged],
    },
  },
  {
    id: 'removeEventImage',
    method: 'delete',
    path: '/events/:code/image',
    group: 'Operator',
    summary: 'Remove the emoji or picture of an event',
    isOperators: true,
    answers: [
      {
        code: 200,
        message: DONE.eventEdited,
        additional: eventAnswers.event,
        samples: { without: { additional: { ...samples.event, image: null } } },
      },
    ],
    refusals: { 404: [REFUSED.eventNotFound] },
  },
]
