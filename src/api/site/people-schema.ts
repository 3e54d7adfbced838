import { z } from 'zod'
import { answerField } from '../fields.js'
import { userIdText } from '../user-id.js'
import type { Checked, Same } from '../same-shape.js'
import { commentAnswer } from './comment-schema.js'
import { SEASONS_MAX } from '../../core/season.js'
import { wholeNumber } from '../whole-number.js'
import type { Leaderboard, Profile, ProfileChoice } from './people-shape.js'

const { rupees, moment } = answerField
const by = z.enum(['profit', 'volume', 'calibration'])
const span = z.enum(['7d', '30d', 'all'])

/** The query of `GET /leaderboard`. */
export const leaderboardQuery = z.object({
  by: by.default('profit').meta({ description: 'The figure that ranks', default: 'profit' }),
  window: span
    .default('30d')
    .meta({ description: 'Days in UTC, the present one included; or all time', default: '30d' }),
  season: wholeNumber(1, SEASONS_MAX)
    .optional()
    .meta({ description: 'The number of a season, in place of `window`' }),
  userid: userIdText.optional().meta({ description: 'Adds the line of this user as `own`, if public' }),
})

/** The body of `PUT /portfolio/:userid/profile`. */
export const profileChoiceSchema = z.strictObject({
  is_public: z.boolean().meta({ description: 'Whether others see the profile and the figures' }),
})

const figures = {
  profit: rupees.meta({ description: 'Profit or loss in events resolved in that time, in INR' }),
  volume: rupees.meta({ description: 'Value of the trades in that time, in INR' }),
  events: z.int().min(0).meta({ description: 'Events resolved in that time in which the user had traded' }),
  brier: z.number().nullable().meta({ description: 'Brier score of the forecasts; null without one' }),
  forecasts: z.int().min(0),
}

const isBot = z.boolean().meta({ description: 'True for a bot of the demo' })
const asOf = moment.meta({ description: 'When the figures were counted' })
const isComplete = z
  .boolean()
  .meta({ description: 'False while older trades are still being counted: ask again' })

const rankedPerson = z
  .object({
    rank: z.int().min(1),
    rank_week_ago: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'The rank over the same span a week ago; null if there was none' }),
    userid: z.string(),
    is_bot: isBot,
    ...figures,
  })
  .meta({ id: 'RankedPerson' })

export const leaderboardAnswer = z
  .object({
    by,
    window: span.nullable().meta({ description: 'null for the board of a season' }),
    season: z.int().min(1).nullable(),
    people: z.array(rankedPerson),
    own: rankedPerson.nullable().meta({
      description: 'The line of the user who was asked for, at any rank; null if not public or not ranked',
    }),
    as_of: asOf,
    is_complete: isComplete,
  })
  .meta({ id: 'Leaderboard' })

const seasonPlace = z
  .object({
    season: z.int().min(1),
    name: z.string(),
    rank: z.int().min(1),
    of: z.int().min(1).meta({ description: 'Users on the board' }),
    profit: rupees,
  })
  .meta({ id: 'SeasonPlace' })

const chance = z.number().min(0).max(1)
const profitDay = z.object({ day: z.iso.date(), profit: rupees }).meta({
  id: 'ProfitDay',
  description: 'Profit of all time by the end of a day',
})
const forecastBin = z
  .object({
    forecast: chance.meta({ description: 'The mean chance of YES' }),
    happened: chance.meta({ description: 'The share of these events that resolved YES' }),
    count: z.int().min(1),
  })
  .meta({ id: 'ForecastBin' })
const bestCall = z
  .object({
    event_id: z
      .string()
      .meta({ description: 'The event, or the exclusive group, whose profit is counted as a whole' }),
    outcome: z.enum(['yes', 'no']),
    profit: rupees,
    forecast: chance.nullable().meta({ description: 'The chance of YES that the trades stood for' }),
  })
  .meta({ id: 'BestCall' })

const person = z.object(figures).meta({ id: 'PersonFigures' })

export const profileAnswer = z
  .object({
    userid: z.string(),
    is_bot: isBot,
    since: moment.nullable().meta({ description: 'When the user came' }),
    figures: z.object({ '7d': person, '30d': person, all: person }),
    course: z.array(profitDay).meta({ description: 'The last 30 days in UTC, the oldest first' }),
    calibration: z.array(forecastBin).meta({ description: 'Tenths of the forecasts, the lowest first' }),
    best: z.array(bestCall).meta({ description: 'The events with the greatest profit, 3 at most' }),
    won: z.int().min(0).meta({ description: 'Resolved events that brought a profit' }),
    seasons: z
      .array(seasonPlace)
      .meta({ description: 'Places by profit in the last 12 seasons, the newest first' }),
    comments: z.array(commentAnswer).meta({ description: 'The newest comments, 20 at most' }),
    as_of: asOf,
    is_complete: isComplete,
  })
  .meta({ id: 'Profile' })

export const profileChoiceAnswer = z
  .object({ userid: z.string(), is_public: z.boolean() })
  .meta({ id: 'ProfileChoice' })

export type LeaderboardAnswer = Checked<Leaderboard, Same<Leaderboard, z.output<typeof leaderboardAnswer>>>
export type ProfileAnswer = Checked<Profile, Same<Profile, z.output<typeof profileAnswer>>>
export type ProfileChoiceAnswer = Checked<
  ProfileChoice,
  Same<ProfileChoice, z.output<typeof profileChoiceAnswer>>
>
