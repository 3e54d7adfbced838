import type { Season, SeasonRequest } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { t } from '../../texts/admin-seasons.js'
import { momentIn, writtenMoment } from '../events/moment-input.js'
import { numberIn, writtenNumber } from '../number-input.js'

export const SEASON_FIELDS = ['name', 'starts_at', 'ends_at', 'stake'] as const

/** The fields of a season, as typed. */
export type SeasonTexts = Readonly<Record<(typeof SEASON_FIELDS)[number], string>>

/** Returns what the fields say of a season; nothing of a new one. */
export function textsOf(season: Season | undefined): SeasonTexts {
  if (season === undefined) return { name: '', starts_at: '', ends_at: '', stake: '' }
  const { name, starts_at, ends_at, stake } = season
  const written = (moment: string) => writtenMoment(Date.parse(moment))
  return { name, starts_at: written(starts_at), ends_at: written(ends_at), stake: writtenNumber(stake) }
}

/** Reads the fields of a season, or says which one is wrong. */
export function seasonIn(typed: SeasonTexts): SeasonRequest | FieldFault {
  const name = typed.name.trim()
  const [starts_at, ends_at, stake] = [
    momentIn(typed.starts_at),
    momentIn(typed.ends_at),
    numberIn(typed.stake),
  ]
  if (name === '') return { field: 'name', words: t.fields.missing }
  if (starts_at === undefined) return { field: 'starts_at', words: t.fields.time }
  if (ends_at === undefined) return { field: 'ends_at', words: t.fields.time }
  if (stake === undefined) return { field: 'stake', words: t.fields.number }
  return { name, starts_at, ends_at, stake }
}

/** Returns the fields that were changed: the others keep what a field does not show, such as seconds. */
export function changesIn(
  before: SeasonTexts,
  typed: SeasonTexts,
  entered: SeasonRequest,
): Partial<SeasonRequest> {
  const changed = SEASON_FIELDS.filter(field => typed[field] !== before[field])
  return Object.fromEntries(changed.map(field => [field, entered[field]]))
}
