import type { PriceTicks, TimeMs } from '../core/units.js'
import { ticks } from '../core/units.js'
import type { Day } from './calendar.js'
import { dayOf, nextTime } from './calendar.js'
import { DAY_MS, HOUR_MS } from './durations.js'
import { Chance } from './seeded-random.js'

/** One event of the demo. */
export interface Question {
  readonly title: string
  readonly description: string
  /** Usual probability of a YES, above 0 and below 1. */
  readonly level: number
  /** True if it is called off, and its trades are unwound. */
  readonly isCalledOff: boolean
}

/** Events of one kind, one after another; each is a pure function of its end. */
export interface Series {
  readonly category: string
  readonly payout: PriceTicks
  readonly tickSize: PriceTicks
  /** Hourly movement of opinion: a standard deviation of the log-odds. */
  readonly volatility: number
  /** Time by which the first of them was opened before the demo began. */
  readonly headStartMs: number
  /** Returns the first moment after another at which such an event ends. */
  readonly nextEnd: (after: TimeMs) => TimeMs
  readonly question: (endAt: TimeMs) => Question
}

export const MADE_UP = 'This is a demo with play money: prices, traders and the outcome are made up.'
/** Of an invented league, so that nobody's team loses. */
export const TEAMS = [
  'Mumbai Locals',
  'Delhi Kites',
  'Chennai Waves',
  'Kolkata Trams',
  'Bengaluru Lakes',
  'Jaipur Lanterns',
]
const FILMS: readonly [string, ...string[]] = [
  'Barsaat Express',
  'Chai Pe Charcha',
  'Teen Tara Hotel',
  'Raat Ki Rail',
  'Patang Season',
  'Do Cup Filter Coffee',
]
/** Ends of the innings of a day's three matches, in minutes since midnight. */
const INNINGS_OVER = [690, 990, 1290]
const MATCHES = ['morning', 'afternoon', 'evening']
const everyDay = () => true

/** The demo's series: one open event of each at any time. */
export const SERIES: readonly Series[] = [
  {
    category: 'cricket',
    payout: ticks(1000),
    tickSize: ticks(10),
    volatility: 0.45,
    headStartMs: 20 * HOUR_MS,
    nextEnd: after => nextTime(after, INNINGS_OVER, everyDay),
    question: cricket,
  },
  {
    category: 'weather',
    payout: ticks(1000),
    tickSize: ticks(5),
    volatility: 0.3,
    headStartMs: 2 * DAY_MS,
    nextEnd: after => nextTime(after, [1440], everyDay),
    question: rain,
  },
  {
    category: 'stocks',
    payout: ticks(1000),
    tickSize: ticks(5),
    volatility: 0.25,
    headStartMs: 3 * DAY_MS,
    nextEnd: after => nextTime(after, [930], ({ weekday }) => weekday >= 1 && weekday <= 5),
    question: index,
  },
  {
    category: 'films',
    payout: ticks(1000),
    tickSize: ticks(50),
    volatility: 0.2,
    headStartMs: 5 * DAY_MS,
    nextEnd: after => nextTime(after, [1440], ({ weekday }) => weekday === 0),
    question: film,
  },
  {
    category: 'space',
    payout: ticks(10_000),
    tickSize: ticks(50),
    volatility: 0.15,
    headStartMs: 6 * DAY_MS,
    nextEnd: after => nextTime(after, [1440], ({ number }) => number % 10 === 0),
    question: launch,
  },
  {
    category: 'prices',
    payout: ticks(1000),
    tickSize: ticks(1),
    volatility: 0.12,
    headStartMs: 6 * DAY_MS,
    nextEnd: after => nextTime(after, [360], ({ weekday }) => weekday === 6),
    question: petrol,
  },
]

/** Makes a match of an invented league, so that nobody's team loses. Every seventh is rained off. */
function cricket(endAt: TimeMs): Question {
  const day = dayOf(endAt)
  const chance = new Chance(endAt)
  const first = chance.between(0, TEAMS.length - 1)
  const second = (first + chance.between(1, TEAMS.length - 1)) % TEAMS.length
  const runs = 140 + 5 * chance.between(0, 8)
  const order = INNINGS_OVER.findIndex(minutes => nextTime(endBefore(endAt), [minutes], everyDay) === endAt)
  const match = `the ${MATCHES[order]} match of ${day.text}`
  return {
    title: `Will ${TEAMS[first]} score ${runs} or more against ${TEAMS[second]} in ${match}?`,
    description:
      `YES if ${TEAMS[first]} make ${runs} runs or more in their 20 overs, extras included. ` +
      'Trading ends with the innings. Void if the match is called off. ' +
      `Source: the league's scorecard. ${MADE_UP}`,
    level: 0.3 + 0.4 * chance.share(),
    isCalledOff: (day.number * INNINGS_OVER.length + order) % 7 === 0,
  }
}

function rain(endAt: TimeMs): Question {
  const day = dayEnding(endAt)
  const isMonsoon = day.month >= 5 && day.month <= 8
  const millimetres = isMonsoon ? 25 : 1
  return {
    title: `Will Mumbai get ${millimetres} mm of rain or more on ${day.text}?`,
    description:
      `YES if the Santacruz station measures ${millimetres} mm of rain or more from midnight to midnight ` +
      `IST on ${day.text}. Source: the weather office's daily figures. ${MADE_UP}`,
    level: isMonsoon ? 0.6 : 0.27,
    isCalledOff: false,
  }
}

function index(endAt: TimeMs): Question {
  const day = dayOf(endAt)
  const chance = new Chance(endAt)
  const points = (25_500 + 50 * chance.between(0, 20)).toString().replace(/(\d{3})$/, ',$1')
  return {
    title: `Will the Nifty 50 close above ${points} on ${day.text}?`,
    description:
      `YES if the index's official close on ${day.text} is above ${points} points, NO otherwise. ` +
      `Trading ends at 15:30 IST. Source: the exchange's closing figures. ${MADE_UP}`,
    level: 0.42 + 0.16 * chance.share(),
    isCalledOff: false,
  }
}

function film(endAt: TimeMs): Question {
  const day = dayEnding(endAt)
  const chance = new Chance(endAt)
  const name = chance.oneOf(FILMS)
  const crore = 20 + 5 * chance.between(0, 8)
  return {
    title: `Will ${name} earn ₹${crore} crore or more by the end of ${day.text}?`,
    description:
      `YES if the net takings in India of ${name}, from release to the end of its opening weekend on ` +
      `${day.text}, are ₹${crore} crore or more. Source: the distributor's figures. ${MADE_UP}`,
    level: 0.5 + 0.2 * chance.share(),
    isCalledOff: false,
  }
}

function launch(endAt: TimeMs): Question {
  const day = dayEnding(endAt)
  return {
    title: `Will ISRO launch a rocket from Sriharikota by ${day.text}?`,
    description:
      `YES if a rocket lifts off from Sriharikota by 23:59 IST on ${day.text}, even if the mission fails. ` +
      `A contract pays ₹100. Source: the agency's announcements. ${MADE_UP}`,
    level: 0.35,
    isCalledOff: false,
  }
}

function petrol(endAt: TimeMs): Question {
  const day = dayOf(endAt)
  const rupees = (94.5 + 0.25 * new Chance(endAt).between(0, 3)).toFixed(2)
  return {
    title: `Will a litre of petrol cost ₹${rupees} or less in Delhi on ${day.text}?`,
    description:
      `YES if the pump price in Delhi from 06:00 IST on ${day.text} is ₹${rupees} a litre or less. ` +
      `Source: the oil companies' daily price list. ${MADE_UP}`,
    level: 0.78,
    isCalledOff: false,
  }
}

/** Returns the day that ends at a moment: midnight belongs to the day before it. */
function dayEnding(endAt: TimeMs): Day {
  return dayOf((endAt - 1) as TimeMs)
}

const endBefore = (endAt: TimeMs) => (endAt - 1) as TimeMs
