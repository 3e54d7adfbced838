import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { seasonRoutes } from '../../api/seasons/season-routes.js'
import type { SeasonAnswer, SeasonTurnAnswer } from '../../api/seasons/season-schema.js'
import { seasonEditSchema, seasonSchema, seasonTerms } from '../../api/seasons/season-schema.js'
import type { SeasonStatus } from '../../api/seasons/season-shape.js'
import { validate } from '../../api/validation.js'
import type { Season } from '../../core/season.js'
import { isTurning } from '../../core/season.js'
import { amount, amountToRupees } from '../../core/units.js'
import { busy } from '../../doors/capacity-refusal.js'
import type { CapacityRefusal } from '../../exchange/capacity.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { SeasonRefusal } from '../../exchange/seasons/seasons.js'
import { readJson } from '../middleware/body.js'
import { success } from '../middleware/envelope.js'
import type { Binding } from '../routing/handle.js'
import { handle } from '../routing/handle.js'
import { byOf } from '../routing/needs.js'

/** Shows the seasons to everyone; operators plan them. */
export function seasonHandlers(exchange: Exchange): Binding[] {
  const { seasons } = exchange
  const shown = (season: Season) => seasonView(season, exchange.now())
  return [
    handle(seasonRoutes.listSeasons, call =>
      success(call, 200, DONE.seasonsFetched, {
        seasons: seasons.all.map(shown),
      }),
    ),
    handle(seasonRoutes.getSeason, call =>
      success(call, 200, DONE.seasonFetched, shown(seasonIn(seasons, call.params.season))),
    ),
    handle(seasonRoutes.createSeason, async call => {
      const body = validate(seasonSchema, await readJson(call))
      const season = unlessRefused(await seasons.create(seasonTerms(body), byOf(call, body)))
      return success(call, 201, DONE.seasonCreated, shown(season))
    }),
    handle(seasonRoutes.editSeason, async call => {
      const body = validate(seasonEditSchema, await readJson(call))
      const { number } = seasonIn(seasons, call.params.season)
      const by = byOf(call, { season: number, ...body })
      const season = unlessRefused(await seasons.edit(number, seasonTerms(body), by))
      return success(call, 200, DONE.seasonEdited, shown(season))
    }),
    handle(seasonRoutes.deleteSeason, async call => {
      const { number, name } = seasonIn(seasons, call.params.season)
      unlessRefused(await seasons.drop(number, byOf(call, { season: number, name })))
      return success(call, 200, DONE.seasonDeleted)
    }),
    handle(seasonRoutes.previewTurn, async call => {
      const season = seasonIn(seasons, call.params.season)
      const { accounts, changed, orders, paidIn, paidOut, floored } = await seasons.preview(season)
      const answer: SeasonTurnAnswer = {
        season: season.number,
        users: accounts,
        changed,
        open_orders: orders,
        deposits: amountToRupees(amount(paidIn)),
        withdrawals: amountToRupees(amount(paidOut)),
        floored,
      }
      return success(call, 200, DONE.seasonTurnFetched, answer)
    }),
  ]
}

/** Returns the season of a number as a client wrote it. Throws 404. */
export function seasonIn(seasons: Exchange['seasons'], written: string | undefined): Season {
  const season = /^[1-9]\d{0,3}$/.test(written ?? '') ? seasons.find(Number(written)) : undefined
  if (season === undefined) throw new ApiError(404, REFUSED.seasonNotFound, 'season_not_found')
  return season
}

function seasonView(season: Season, now: number): SeasonAnswer {
  const { number, name, startsAt, endsAt, stake, begunAt } = season
  return {
    season: number,
    name,
    starts_at: new Date(startsAt).toISOString(),
    ends_at: new Date(endsAt).toISOString(),
    stake: amountToRupees(stake),
    status: statusOf(season, now),
    began_at: begunAt === undefined ? null : new Date(begunAt).toISOString(),
  }
}

function statusOf(season: Season, now: number): SeasonStatus {
  if (isTurning(season)) return 'turning'
  if (season.begunAt === undefined) return now < season.endsAt ? 'planned' : 'skipped'
  return now < season.endsAt ? 'running' : 'over'
}

function unlessRefused(made: Season | SeasonRefusal | CapacityRefusal | undefined): Season {
  if (made === undefined) throw new ApiError(404, REFUSED.seasonNotFound, 'season_not_found')
  if (typeof made === 'string') throw busy(made)
  if (!('refusal' in made)) return made
  switch (made.refusal) {
    case 'season_in_past':
      throw new ApiError(422, REFUSED.seasonInPast)
    case 'season_ends_early':
      throw new ApiError(422, `ends_at: ${REFUSED.seasonEndsEarly}`)
    case 'season_begun':
      throw new ApiError(409, REFUSED.seasonBegun, 'season_begun')
    case 'seasons_overlap':
      throw new ApiError(409, `${REFUSED.seasonsOverlap}: ${made.other.name}`, 'seasons_overlap')
    case 'seasons_full':
      throw new ApiError(409, REFUSED.seasonsFull, 'seasons_full')
    case 'stakes_too_large':
      throw new ApiError(409, REFUSED.stakesTooLarge, 'accounts_full')
  }
}
