import type { Comment } from './comment-shape.js'

/** A user's figures over a span. The guide Pages defines them. */
export interface PersonFigures {
  /** Profit or loss in events that were resolved, in INR. */
  readonly profit: number
  /** Value of their trades, in INR. */
  readonly volume: number
  /** Events that were resolved in which they had traded. */
  readonly events: number
  /** Brier score of their forecasts: 0 is perfect, 1 is the worst; null without a forecast. */
  readonly brier: number | null
  readonly forecasts: number
}

/** One line of the leaderboard. */
export interface RankedPerson extends PersonFigures {
  readonly rank: number
  /** The rank over the same span a week ago; null if there was none. */
  readonly rank_week_ago: number | null
  readonly userid: string
  /** True for a bot of the demo. */
  readonly is_bot: boolean
}

export type Ranking = 'profit' | 'volume' | 'calibration'
export type Span = '7d' | '30d' | 'all'

/** The best users by a figure over a span. */
export interface Leaderboard {
  readonly by: Ranking
  /** Null for the board of a season. */
  readonly window: Span | null
  readonly season: number | null
  readonly people: readonly RankedPerson[]
  /** The line of the user who was asked for, at any rank; null if they are not public or not ranked. */
  readonly own: RankedPerson | null
  /** When the figures were counted; half a minute ago at most. */
  readonly as_of: string
  /** False while older trades are still being counted: ask again. */
  readonly is_complete: boolean
}

/** A user's profit of all time by the end of a day. */
export interface ProfitDay {
  readonly day: string
  readonly profit: number
}

/** Forecasts of a user that lay close together. */
export interface ForecastBin {
  /** Their mean chance of YES, from 0 to 1. */
  readonly forecast: number
  /** The part of those events that were resolved YES, from 0 to 1. */
  readonly happened: number
  readonly count: number
}

/** An event that brought a user a profit. */
export interface BestCall {
  readonly event_id: string
  readonly outcome: 'yes' | 'no'
  readonly profit: number
  /** The chance of YES that the user's trades stood for, from 0 to 1; null if all were with themselves. */
  readonly forecast: number | null
}

/** A user's place by profit on the board of a season. */
export interface SeasonPlace {
  readonly season: number
  readonly name: string
  readonly rank: number
  /** Users on the board. */
  readonly of: number
  readonly profit: number
}

/** A user as others see them. */
export interface Profile {
  readonly userid: string
  readonly is_bot: boolean
  /** When the user came; null if that has not been counted yet. */
  readonly since: string | null
  readonly figures: Readonly<Record<Span, PersonFigures>>
  /** The last 30 days in UTC, the oldest first. */
  readonly course: readonly ProfitDay[]
  /** Tenths of the forecasts, the lowest first; those without a forecast are left out. */
  readonly calibration: readonly ForecastBin[]
  /** The events with the greatest profit, three at most. */
  readonly best: readonly BestCall[]
  /** Resolved events that brought a profit. */
  readonly won: number
  /** Places in the last seasons, the newest first. */
  readonly seasons: readonly SeasonPlace[]
  /** The newest comments. */
  readonly comments: readonly Comment[]
  readonly as_of: string
  readonly is_complete: boolean
}

/** The choice of a user to let others see their profile and figures. */
export interface ProfileChoice {
  readonly userid: string
  readonly is_public: boolean
}
