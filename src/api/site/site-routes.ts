import { DONE } from '../answer-texts.js'
import { eventAnswers } from '../events/event-answer.js'
import { imageSchema } from '../events/event-image-schema.js'
import { FULL, REFUSED } from '../refusal-texts.js'
import { settingsAnswer, settingsSchema, watchlistAnswer } from './settings-schema.js'
import { route } from '../route.js'
import { samples } from '../samples.js'

const settings = { ticket_confirm: 'always', notices_fills: false, bot_step: 0.5 }
const saved = { userid: 'asha', settings }
const watchlist = { userid: 'asha', events: ['1000001'] }

/** Settings and watchlists of users; pictures and emoji of events. */
export const siteRoutes = {
  getSettings: route({
    id: 'getSettings',
    method: 'GET',
    path: '/portfolio/:userid/settings',
    needs: 'read',
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
  }),
  saveSettings: route({
    id: 'saveSettings',
    method: 'PUT',
    path: '/portfolio/:userid/settings',
    needs: 'trade',
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
  }),
  getWatchlist: route({
    id: 'getWatchlist',
    method: 'GET',
    path: '/portfolio/:userid/watchlist',
    needs: 'read',
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
  }),
  addToWatchlist: route({
    id: 'addToWatchlist',
    method: 'PUT',
    path: '/portfolio/:userid/watchlist/:code',
    needs: 'trade',
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
  }),
  removeFromWatchlist: route({
    id: 'removeFromWatchlist',
    method: 'DELETE',
    path: '/portfolio/:userid/watchlist/:code',
    needs: 'trade',
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
  }),
  setEventImage: route({
    id: 'setEventImage',
    method: 'PUT',
    path: '/events/:code/image',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Give an event an emoji or a picture',
    description:
      'An emoji, or a PNG, JPEG or WebP picture of at most 2 MB and 4 million pixels. It is shrunk to 640 ' +
      'pixels a side and encoded as WebP, so no metadata stays. It is in backups, not in the journal.',
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
  }),
  removeEventImage: route({
    id: 'removeEventImage',
    method: 'DELETE',
    path: '/events/:code/image',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Remove the emoji or picture of an event',
    answers: [
      {
        code: 200,
        message: DONE.eventEdited,
        additional: eventAnswers.event,
        samples: { without: { additional: { ...samples.event, image: null } } },
      },
    ],
    refusals: { 404: [REFUSED.eventNotFound] },
  }),
}
