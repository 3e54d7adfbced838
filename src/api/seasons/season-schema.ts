import { z } from 'zod'
import { hiddenCharacter, plainName } from '../../core/plain-name.js'
import type { SeasonTerms } from '../../core/season.js'
import type { TimeMs } from '../../core/units.js'
import { amount, UNITS_PER_RUPEE, wholeParts } from '../../core/units.js'
import { answerField } from '../fields.js'
import { LIMITS } from '../limits.js'
import { PAISE_PER_RUPEE } from '../operator/transfer-schema.js'
import { REFUSED } from '../refusal-texts.js'
import type { Checked, Same } from '../same-shape.js'
import { dateTime, storedText } from '../validation.js'
import type { Season, SeasonTurn } from './season-shape.js'

const { seasonNameLengthMax: NAME_MAX, stakeMax: STAKE_MAX } = LIMITS
const NAME = `Expected 1 to ${NAME_MAX} characters`

const fields = {
  name: storedText
    .transform(plainName)
    .refine(name => name.length >= 1 && name.length <= NAME_MAX, NAME)
    .superRefine((name, { addIssue }) => {
      const hidden = hiddenCharacter(name)
      if (hidden !== undefined) addIssue(`Expected no ${hidden}, which cannot be seen`)
    })
    .meta({ minLength: 1, maxLength: NAME_MAX, description: 'Shown to everyone' }),
  starts_at: dateTime.meta({ description: 'In the future' }),
  ends_at: dateTime.meta({ description: 'The first moment after it' }),
  stake: z
    .number()
    .min(0, 'Expected 0 or more')
    .max(STAKE_MAX, `Expected at most ${STAKE_MAX}`)
    .refine(
      rupees => wholeParts(rupees, PAISE_PER_RUPEE) !== undefined,
      'Expected whole paise, at most 2 decimals',
    )
    .meta({ description: 'The money of each user at the start, with what open events hold, in INR' }),
}

/** The body of `POST /seasons`. */
export const seasonSchema = z
  .strictObject(fields)
  .refine(({ starts_at, ends_at }) => Date.parse(ends_at) > Date.parse(starts_at), {
    path: ['ends_at'],
    error: REFUSED.seasonEndsEarly,
  })
  .meta({ id: 'NewSeason' })

/** The body of `PATCH /seasons/:season`. */
export const seasonEditSchema = z.strictObject(fields).partial().meta({ id: 'SeasonEdit' })

/** Returns what the fields of a body say of a season. */
export function seasonTerms(body: z.output<typeof seasonSchema>): SeasonTerms
export function seasonTerms(body: z.output<typeof seasonEditSchema>): Partial<SeasonTerms>
export function seasonTerms(body: z.output<typeof seasonEditSchema>): Partial<SeasonTerms> {
  const { name, starts_at, ends_at, stake } = body
  return {
    ...(name !== undefined && { name }),
    ...(starts_at !== undefined && { startsAt: Date.parse(starts_at) as TimeMs }),
    ...(ends_at !== undefined && { endsAt: Date.parse(ends_at) as TimeMs }),
    ...(stake !== undefined && { stake: amount(wholeParts(stake, UNITS_PER_RUPEE) ?? 0) }),
  }
}

const { moment, rupees } = answerField
const count = z.int().min(0)
const number = z.int().min(1).meta({ description: 'The number of the season' })

export const seasonAnswer = z
  .object({
    season: number,
    name: z.string(),
    starts_at: moment,
    ends_at: moment.meta({ description: 'The first moment after it' }),
    stake: rupees,
    status: z.enum(['planned', 'turning', 'running', 'over', 'skipped']),
    began_at: moment.nullable().meta({ description: 'When its turn began: results count from then on' }),
  })
  .meta({ id: 'Season' })

export const seasonsAnswer = z.object({ seasons: z.array(seasonAnswer) })

export const seasonTurnAnswer = z
  .object({
    season: number,
    users: count,
    changed: count.meta({ description: 'Users whose cash changes' }),
    open_orders: count.meta({ description: 'Open orders, which it cancels' }),
    deposits: rupees,
    withdrawals: rupees,
    floored: count.meta({
      description: 'Users whose cash becomes 0, since they have put more than the stake into open events',
    }),
  })
  .meta({ id: 'SeasonTurn' })

export type SeasonAnswer = Checked<Season, Same<Season, z.output<typeof seasonAnswer>>>
export type SeasonTurnAnswer = Checked<SeasonTurn, Same<SeasonTurn, z.output<typeof seasonTurnAnswer>>>
