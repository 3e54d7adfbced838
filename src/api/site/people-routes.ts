import { DONE } from '../answer-texts.js'
import { REFUSED } from '../refusal-texts.js'
import {
  leaderboardAnswer,
  leaderboardQuery,
  profileAnswer,
  profileChoiceAnswer,
  profileChoiceSchema,
} from './people-schema.js'
import { route } from '../route.js'

const figures = { profit: 412.5, volume: 3120, events: 9, brier: 0.1672, forecasts: 9 }
const asOf = '2026-02-01T09:31:00.000Z'
const profile = {
  userid: 'asha',
  is_bot: false,
  since: '2026-01-04T10:00:00.000Z',
  figures: { '7d': figures, '30d': figures, all: figures },
  course: [{ day: '2026-02-01', profit: 412.5 }],
  calibration: [{ forecast: 0.72, happened: 0.75, count: 4 }],
  best: [{ event_id: '1000001', outcome: 'yes', profit: 120, forecast: 0.8 }],
  won: 7,
  seasons: [{ season: 1, name: 'Autumn', rank: 3, of: 42, profit: 412.5 }],
  comments: [],
  as_of: asOf,
  is_complete: true,
}
const ranked = { rank: 1, rank_week_ago: 3, userid: 'asha', is_bot: false, ...figures }
const choice = { userid: 'asha', is_public: true }

/** The leaderboard, profiles, and the choice of users to be on either. */
export const peopleRoutes = {
  getLeaderboard: route({
    id: 'getLeaderboard',
    method: 'GET',
    path: '/leaderboard',
    needs: 'markets',
    cost: { kind: 'reads', points: 5, history: true },
    group: 'People',
    summary: 'Get the best users by profit, volume or calibration',
    description:
      'Up to 100 users with public profiles. The figures are half a minute old at most; the guide Pages ' +
      'defines them.',
    query: leaderboardQuery,
    querySample: { by: 'calibration', window: 'all', season: 1, userid: 'asha' },
    answers: [
      {
        code: 200,
        message: DONE.leaderboardFetched,
        additional: leaderboardAnswer,
        samples: {
          'one user': {
            additional: {
              by: 'profit',
              window: '30d',
              season: null,
              people: [ranked],
              own: ranked,
              as_of: asOf,
              is_complete: true,
            },
          },
        },
      },
    ],
    refusals: {
      404: [REFUSED.seasonNotFound],
      422: ["by: Invalid enum value. Expected 'profit' | 'volume' | 'calibration', received 'luck'"],
    },
  }),
  getProfile: route({
    id: 'getProfile',
    method: 'GET',
    path: '/profiles/:userid',
    needs: 'markets',
    cost: { kind: 'reads', points: 5, history: true },
    group: 'People',
    summary: 'Get the public profile of a user',
    description: 'A private profile is 404, as that of a user who does not exist.',
    answers: [
      {
        code: 200,
        message: DONE.profileFetched,
        additional: profileAnswer,
        samples: { profile: { additional: profile } },
      },
    ],
    refusals: { 404: [REFUSED.userNotFound] },
  }),
  getProfileChoice: route({
    id: 'getProfileChoice',
    method: 'GET',
    path: '/portfolio/:userid/profile',
    needs: 'read',
    group: 'Portfolio',
    summary: 'Get whether others see the profile of a user',
    answers: [
      {
        code: 200,
        message: DONE.profileFetched,
        additional: profileChoiceAnswer,
        samples: { public: { additional: choice } },
      },
    ],
    refusals: {},
  }),
  saveProfileChoice: route({
    id: 'saveProfileChoice',
    method: 'PUT',
    path: '/portfolio/:userid/profile',
    needs: 'trade',
    group: 'Portfolio',
    summary: 'Choose whether others see the profile of a user',
    description:
      'Public profiles are on the leaderboard. In open mode they are public unless users choose ' +
      'otherwise, in accounts and jwt mode private.',
    body: { schema: profileChoiceSchema, samples: { public: { is_public: true } } },
    answers: [
      {
        code: 200,
        message: DONE.profileSaved,
        additional: profileChoiceAnswer,
        samples: { public: { additional: choice } },
      },
    ],
    refusals: { 422: ['is_public: Required'] },
  }),
}
