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
  readonly userid: string
  /** True for a bot of the demo. */
  readonly is_bot: boolean
}

export type Ranking = 'profit' | 'volume' | 'calibration'
export type Span = '7d' | '30d' | 'all'

/** The best users by a figure over a span. */
export interface Leaderboard {
  readonly by: Ranking
  readonly window: Span
  readonly people: readonly RankedPerson[]
  /** When the figures were counted; half a minute ago at most. */
  readonly as_of: string
  /** False while older trades are still being counted: ask again. */
  readonly is_complete: boolean
}

/** A user as others see them. */
export interface Profile {
  readonly userid: string
  readonly is_bot: boolean
  /** When the user came; null if that has not been counted yet. */
  readonly since: string | null
  readonly figures: Readonly<Record<Span, PersonFigures>>
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
