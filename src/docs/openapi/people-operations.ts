import { DONE } from '../../api/answer-texts.js'
import { REFUSED } from '../../api/refusal-texts.js'
import {
  leaderboardAnswer,
  leaderboardQuery,
  profileAnswer,
  profileChoiceAnswer,
  profileChoiceSchema,
} from '../../api/site/people-schema.js'
import type { Operation } from './operation.js'

const figures = { profit: 412.5, volume: 3120, events: 9, brier: 0.1672, forecasts: 9 }
const asOf = '2026-02-01T09:31:00.000Z'
const profile = {
  userid: 'asha',
  is_bot: false,
  since: '2026-01-04T10:00:00.000Z',
  figures: { '7d': figures, '30d': figures, all: figures },
  comments: [],
  as_of: asOf,
  is_complete: true,
}
const choice = { userid: 'asha', is_public: true }

/** The leaderboard, profiles, and the choice of users to be on either. */
export const peopleOperations: readonly Operation[] = [
  {
    id: 'getLeaderboard',
    method: 'get',
    path: '/leaderboard',
    group: 'People',
    summary: 'Get the best users by profit, volume or calibration',
    description:
      'Up to 100 users with public profiles. The figures are half a minute old at most; the guide Pages ' +
      'defines them.',
    query: leaderboardQuery,
    querySample: { by: 'calibration', window: 'all' },
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
              people: [{ rank: 1, userid: 'asha', is_bot: false, ...figures }],
              as_of: asOf,
              is_complete: true,
            },
          },
        },
      },
    ],
    readsHistory: true,
    refusals: {
      422: ["by: Invalid enum value. Expected 'profit' | 'volume' | 'calibration', received 'luck'"],
    },
  },
  {
    id: 'getProfile',
    method: 'get',
    path: '/profiles/:userid',
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
    readsHistory: true,
    refusals: { 404: [REFUSED.userNotFound] },
  },
  {
    id: 'getProfileChoice',
    method: 'get',
    path: '/portfolio/:userid/profile',
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
  },
  {
    id: 'saveProfileChoice',
    method: 'put',
    path: '/portfolio/:userid/profile',
    group: 'Portfolio',
    summary: 'Choose whether others see the profile of a user',
    description:
      'Public profiles are on the leaderboard. In the mode open they are public unless users choose ' +
      'otherwise, in the modes accounts and jwt private.',
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
  },
]
