import { plural } from '../plural.js'

const NAMES = { yes: 'YES', no: 'NO' }
/** The names of the badges' thresholds, whose values are in `trade/people/badges.ts`. */
type Bars = 'EVENTS_AHEAD' | 'FORECASTS_SHARP' | 'BRIER_SHARP' | 'WEEKS_STEADY' | 'EVENTS_HUNDRED'

export const en = {
  loading: 'Loading…',
  leaderboard: 'Leaderboard',
  rankedBy: 'Ranked by',
  profit: 'Profit',
  volume: 'Volume',
  /** The ways to rank. */
  rankings: { profit: 'Profit', volume: 'Volume', calibration: 'Calibration' },
  span: 'Time span',
  days: (count: number) => `${count} days`,
  allTime: 'All time',
  seasonEnds: (time: string, stake: string) => `is running until ${time}: everyone started with ${stake}.`,
  seasonStarts: (time: string, stake: string) =>
    `starts on ${time}: open orders will be cancelled, and everyone starts with ${stake}.`,
  seasonsGuide: 'How seasons work',
  seasons: 'Seasons',
  season: 'Season',
  placeOf: (rank: string, of: string) => `${rank} of ${of}`,
  rank: 'Rank',
  trader: 'Trader',
  events: 'Markets resolved',
  brier: 'Brier score',
  you: 'you',
  bot: 'bot',
  means: {
    profit: 'Profit from markets resolved in this period, including earlier sales.',
    volume: 'Total value of trades in this period.',
    calibration:
      'How close forecasts came to results: 0 is perfect, always saying 50% scores 0.25. Needs five resolved markets.',
  },
  howCounted: 'How rankings work',
  asOf: (time: string) => `As of ${time}.`,
  counting: 'Older trades are still being counted.',
  nobodyRanked: {
    profit: 'No ranked traders yet.',
    volume: 'No ranked traders yet.',
    calibration: 'No ranked traders yet. A rank needs five resolved markets.',
  },
  yourProfile: 'Your profile',
  isPublic: 'Your profile is public',
  isPrivate: 'Your profile is private',
  publicMeans:
    'You are on the leaderboard, and anyone can see your figures, your best calls, and your name beside your latest trades.',
  privateMeans: 'You are not on the leaderboard, and your figures are hidden.',
  makePublic: 'Make it public',
  makePrivate: 'Make it private',
  seeProfile: 'See your profile',
  noProfile: 'This profile does not exist, or is private.',
  allPeople: 'See the leaderboard',
  since: (day: string) => `Trading since ${day}`,
  course: 'Profit, last 30 days',
  forecasts: 'Forecasts and results',
  forecastBin: (forecast: string, happened: string, count: number) =>
    `Forecast ${forecast}, happened ${happened} (${plural(count, { one: '# market', other: '# markets' })})`,
  calibrationMeans:
    'Horizontal: the forecast chance of YES. Vertical: how often YES happened. Perfect forecasts lie on the line.',
  bestCalls: 'Best calls',
  result: (outcome: 'yes' | 'no') => `Resolved: ${NAMES[outcome]}`,
  calledAt: (outcome: 'yes' | 'no', chance: string) => `${NAMES[outcome]}, forecast at ${chance}`,
  wonOf: (won: number, events: number) =>
    `Profit in ${won} of ${plural(events, { one: '# resolved market', other: '# resolved markets' })}.`,
  badges: 'Badges',
  badgeNames: { ahead: 'Ahead', sharp: 'Sharp', steady: 'Steady', hundred: 'Centurion' },
  badgeMeans: (bars: Readonly<Record<Bars, number>>) => ({
    ahead: `Profit over ${bars.EVENTS_AHEAD} or more resolved markets`,
    sharp: `Brier score of ${bars.BRIER_SHARP} or better over ${bars.FORECASTS_SHARP} forecasts`,
    steady: `Profit in each of the last ${bars.WEEKS_STEADY} weeks`,
    hundred: `${bars.EVENTS_HUNDRED} resolved markets`,
  }),
  moved: 'Change in a week',
  up: (places: number) => plural(places, { one: 'Up # place', other: 'Up # places' }),
  down: (places: number) => plural(places, { one: 'Down # place', other: 'Down # places' }),
  unmoved: 'Unchanged',
  newHere: 'new',
  newest: 'Latest comments',
  noneWritten: 'No comments yet.',
}
