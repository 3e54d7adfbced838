import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { LeaderboardAnswer, ProfileAnswer, ProfileChoiceAnswer } from '../../api/site/people-schema.js'
import { leaderboardQuery, profileChoiceSchema } from '../../api/site/people-schema.js'
import type { PersonFigures, RankedPerson, Ranking } from '../../api/site/people-shape.js'
import { userIdIn } from '../../api/user-id.js'
import { validate } from '../../api/validation.js'
import { amount, amountToRupees } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { RankedPerson as Ranked } from '../../exchange/reads/people-figures.js'
import type { Period, Tally } from '../../exchange/reads/people-tallies.js'
import type { SiteStore } from '../../site/site-store.js'
import { readJson } from '../middleware/body.js'
import { unlessBusy } from '../../doors/capacity-refusal.js'
import type { Answer } from '../middleware/envelope.js'
import { success } from '../middleware/envelope.js'
import { queryOf } from '../middleware/query.js'
import { commentView } from './comment-view.js'
import { seasonIn } from '../routes/season-handlers.js'
import { userFor } from './settings-handlers.js'
import { unlessRefused } from './site-writes.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { peopleRoutes } from '../../api/site/people-routes.js'

const PEOPLE_MAX = 100
const COMMENTS_MAX = 20

interface PeopleRooms {
  readonly exchange: Exchange
  readonly site: SiteStore
  /** True if profiles are public unless their users say otherwise. */
  readonly isPublicByDefault: boolean
  readonly isPublic: (userId: string) => boolean
}

/** Serves the leaderboard, profiles, and the choice of users to be on either. */
export function peopleHandlers(rooms: PeopleRooms): Binding[] {
  const routes = new PeopleRoutes(rooms)
  return [
    handle(peopleRoutes.getLeaderboard, call => routes.showBoard(call)),
    handle(peopleRoutes.getProfile, call => routes.showProfile(call)),
    handle(peopleRoutes.getProfileChoice, call => routes.showChoice(call)),
    handle(peopleRoutes.saveProfileChoice, call => routes.choose(call)),
  ]
}

class PeopleRoutes {
  readonly #rooms: PeopleRooms

  constructor(rooms: PeopleRooms) {
    this.#rooms = rooms
  }

  async showBoard(call: Call): Promise<Response> {
    const { exchange } = this.#rooms
    const { by, window, season, userid } = queryOf(call, leaderboardQuery)
    const period = season === undefined ? window : seasonIn(exchange.seasons, String(season)).number
    const found = await exchange.archive.people.top(by, period, this.#choices)
    const { at, isComplete, rows } = unlessBusy(found)
    // Someone may have chosen to be private after the figures were counted: those below move up.
    const gone = rows.filter(({ userId }) => !this.#rooms.isPublic(userId))
    const people = rows.filter(row => !gone.includes(row)).slice(0, PEOPLE_MAX)
    const own = userid === undefined ? undefined : await this.#placeOf(by, period, userid)
    const answer: LeaderboardAnswer = {
      by,
      window: season === undefined ? window : null,
      season: season ?? null,
      people: people.map(row => rankedView(row, gone)),
      own: own === undefined ? null : rankedView(own, gone),
      as_of: new Date(at).toISOString(),
      is_complete: isComplete,
    }
    return success(call, 200, DONE.leaderboardFetched, answer)
  }

  /** The users who are listed. */
  get #choices() {
    const { site, isPublicByDefault } = this.#rooms
    return { isDefault: isPublicByDefault, others: () => site.profiles.chose(!isPublicByDefault) }
  }

  async #placeOf(by: Ranking, period: Period, userid: string): Promise<Ranked | undefined> {
    const { archive } = this.#rooms.exchange
    const { userId } = archive.userNamed(userid)
    return this.#rooms.isPublic(userId)
      ? unlessBusy(await archive.people.placeOf(by, period, userId))
      : undefined
  }

  /** A private profile is not found, as that of a user who does not exist. */
  async showProfile(call: Call): Promise<Response> {
    const { archive, seasons } = this.#rooms.exchange
    const { userId } = archive.userNamed(userIdIn({ userid: call.params.userid ?? '' }))
    const found = this.#rooms.isPublic(userId) ? unlessBusy(await archive.people.of(userId)) : undefined
    if (found === undefined) throw new ApiError(404, REFUSED.userNotFound, 'user_not_found')
    const { at, isComplete, since, spans, course, bins, best, won } = found
    const places = unlessBusy(await archive.people.seasonPlacesOf(userId, this.#choices))
    const comments = this.#rooms.site.comments.latestOf(userId, COMMENTS_MAX)
    const answer: ProfileAnswer = {
      userid: userId,
      is_bot: isBot(userId),
      since: since === undefined ? null : new Date(since).toISOString(),
      figures: {
        '7d': figuresView(spans['7d']),
        '30d': figuresView(spans['30d']),
        all: figuresView(spans.all),
      },
      course: course.map(({ at, profit }) => ({
        day: new Date(at).toISOString().slice(0, 10),
        profit: rupees(profit),
      })),
      calibration: bins.map(({ forecast, happened, count }) => ({
        forecast: rounded(forecast),
        happened: rounded(happened),
        count,
      })),
      best: best.map(({ market, outcome, profit, forecast }) => ({
        event_id: String(market),
        outcome,
        profit: rupees(profit),
        forecast: forecast === undefined ? null : rounded(forecast),
      })),
      won,
      seasons: places.map(({ season, rank, of, profit }) => ({
        ...{ season, name: seasons.find(season)?.name ?? '' },
        ...{ rank, of, profit: rupees(profit) },
      })),
      comments: comments.map(comment => commentView(archive, comment, false)),
      as_of: new Date(at).toISOString(),
      is_complete: isComplete,
    }
    return success(call, 200, DONE.profileFetched, answer)
  }

  showChoice(call: Call): Answer {
    return this.#answerChoice(call, userFor(this.#rooms.exchange, call, 'read'), DONE.profileFetched)
  }

  async choose(call: Call): Promise<Response> {
    const userId = userFor(this.#rooms.exchange, call, 'trade')
    const { is_public } = validate(profileChoiceSchema, await readJson(call))
    unlessRefused(this.#rooms.site.profiles.choose(userId, is_public))
    return this.#answerChoice(call, userId, DONE.profileSaved)
  }

  #answerChoice(call: Call, userid: string, message: string): Answer {
    const answer: ProfileChoiceAnswer = { userid, is_public: this.#rooms.isPublic(userid) }
    return success(call, 200, message, answer)
  }
}

/** Returns a line of a board, without those who are no longer on it. */
function rankedView({ userId, rank, before, ...tally }: Ranked, gone: readonly Ranked[]): RankedPerson {
  const above = (place: number, of: (row: Ranked) => number | undefined) =>
    gone.filter(row => (of(row) ?? place) < place).length
  return {
    rank: rank - above(rank, row => row.rank),
    rank_week_ago: before === undefined ? null : before - above(before, row => row.before),
    userid: userId,
    is_bot: isBot(userId),
    ...figuresView(tally),
  }
}

function figuresView({ profit, volume, events, error, forecasts }: Readonly<Tally>): PersonFigures {
  return {
    profit: rupees(profit),
    volume: rupees(volume),
    events,
    brier: forecasts === 0 ? null : rounded(error / forecasts),
    forecasts,
  }
}

const rupees = (units: number) => amountToRupees(amount(units))
const rounded = (share: number) => Number(share.toFixed(4))

/** Returns whether a user is a bot of the demo: nobody else gets a name that begins so. */
const isBot = (userId: string) => userId.startsWith('bot-')
