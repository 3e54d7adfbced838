import { DONE } from '../answer-texts.js'
import { FULL, REFUSED } from '../refusal-texts.js'
import { route } from '../route.js'
import {
  seasonAnswer,
  seasonEditSchema,
  seasonSchema,
  seasonsAnswer,
  seasonTurnAnswer,
} from './season-schema.js'

const request = {
  name: 'Autumn',
  starts_at: '2026-12-01T00:00:00.000Z',
  ends_at: '2027-03-01T00:00:00.000Z',
  stake: 10_000,
}
const season = { season: 1, ...request, status: 'planned', began_at: null }
const turn = { season: 1, users: 42, changed: 40, open_orders: 17 }
const money = { deposits: 120_500, withdrawals: 84_200.5, floored: 1 }
const NO_SEASON = { 404: [REFUSED.seasonNotFound] }
const OVERLAPS = `${REFUSED.seasonsOverlap}: Autumn`
const CHANGE = { 409: [OVERLAPS, REFUSED.seasonBegun] }
const FAULTS = ['name: Required', REFUSED.seasonInPast, `ends_at: ${REFUSED.seasonEndsEarly}`]

/** Seasons: everyone starts afresh with the same money. */
export const seasonRoutes = {
  listSeasons: route({
    id: 'listSeasons',
    method: 'GET',
    path: '/seasons',
    needs: 'markets',
    group: 'People',
    summary: 'List the seasons, in the order of their start',
    description: 'There are 1,000 at most. `GET /leaderboard?season=1` has the board of one.',
    answers: [
      {
        code: 200,
        message: DONE.seasonsFetched,
        additional: seasonsAnswer,
        samples: { one: { additional: { seasons: [season] } } },
      },
    ],
    refusals: {},
  }),
  getSeason: route({
    id: 'getSeason',
    method: 'GET',
    path: '/seasons/:season',
    needs: 'markets',
    group: 'People',
    summary: 'Get a season',
    answers: [
      {
        code: 200,
        message: DONE.seasonFetched,
        additional: seasonAnswer,
        samples: { planned: { additional: season } },
      },
    ],
    refusals: NO_SEASON,
  }),
  createSeason: route({
    id: 'createSeason',
    method: 'POST',
    path: '/seasons',
    needs: 'operator:money',
    group: 'Operator',
    summary: 'Create a season',
    description:
      'At its start all open orders of users are cancelled, and each user gets a deposit or withdrawal ' +
      'after which their cash is the stake less what they have put into open events. See the guide Seasons.',
    body: { schema: seasonSchema, samples: { season: request } },
    answers: [
      {
        code: 201,
        message: DONE.seasonCreated,
        additional: seasonAnswer,
        samples: { planned: { additional: season } },
      },
    ],
    refusals: {
      409: [OVERLAPS, REFUSED.stakesTooLarge, REFUSED.seasonsFull],
      422: FAULTS,
      503: [FULL.queue_full],
    },
  }),
  editSeason: route({
    id: 'editSeason',
    method: 'PATCH',
    path: '/seasons/:season',
    needs: 'operator:money',
    group: 'Operator',
    summary: 'Edit a season before its start',
    body: { schema: seasonEditSchema, samples: { stake: { stake: 5000 } } },
    answers: [
      {
        code: 200,
        message: DONE.seasonEdited,
        additional: seasonAnswer,
        samples: { planned: { additional: { ...season, stake: 5000 } } },
      },
    ],
    refusals: { ...NO_SEASON, ...CHANGE, 422: FAULTS.slice(1), 503: [FULL.queue_full] },
  }),
  deleteSeason: route({
    id: 'deleteSeason',
    method: 'DELETE',
    path: '/seasons/:season',
    needs: 'operator:money',
    group: 'Operator',
    summary: 'Delete a season before its start',
    answers: [{ code: 200, message: DONE.seasonDeleted, samples: { deleted: {} } }],
    refusals: { ...NO_SEASON, 409: [REFUSED.seasonBegun], 503: [FULL.queue_full] },
  }),
  previewTurn: route({
    id: 'previewTurn',
    method: 'GET',
    path: '/seasons/:season/turn',
    needs: 'operator:read',
    cost: { kind: 'reads', points: 10 },
    group: 'Operator',
    summary: 'Get what the start of a season would do now',
    answers: [
      {
        code: 200,
        message: DONE.seasonTurnFetched,
        additional: seasonTurnAnswer,
        samples: { turn: { additional: { ...turn, ...money } } },
      },
    ],
    refusals: NO_SEASON,
  }),
}
