import { slugOf } from '../core/slug.js'
import type { NewGroup } from '../core/group.js'
import type { PriceTicks, TimeMs } from '../core/units.js'
import { amount, lots, ticks, UNITS_PER_RUPEE } from '../core/units.js'
import { dayOf, nextTime } from './calendar.js'
import { HOUR_MS } from './durations.js'
import { Chance } from './seeded-random.js'
import type { Question, Series } from './series.js'
import { MADE_UP, TEAMS } from './series.js'

const CUP_TEAMS = [...TEAMS, 'Kochi Lagoons', 'Pune Banyans']
/** Sunday evening: 22:00 in India. */
const FINAL = [1320]
const DESCRIPTION =
  'Exactly one of the eight teams wins. Trading ends with the final. Source: the league. ' + MADE_UP

/** Returns the question of a cup, by the end of its final. */
function titleOf(endAt: TimeMs): string {
  return `Who wins the Lantern Cup of ${dayOf(endAt).text}?`
}

/** The outcomes of a cup, as the bots trade them. */
export const CUP: Series = {
  category: 'cups',
  payout: ticks(1000),
  tickSize: ticks(5),
  volatility: 0.2,
  headStartMs: 24 * HOUR_MS,
  nextEnd: after => nextTime(after, FINAL, ({ weekday }) => weekday === 0),
  question: endAt => ({
    title: titleOf(endAt),
    description: DESCRIPTION,
    level: 1 / CUP_TEAMS.length,
    isCalledOff: false,
  }),
}

/** Returns what the bots think of one team of the cup that ends then; undefined for any other title. */
export function cupQuestion(endAt: TimeMs, label: string | undefined): Question | undefined {
  const index = CUP_TEAMS.findIndex(team => team === label)
  const [team, strengths] = [CUP_TEAMS[index], strengthsOf(endAt)]
  if (team === undefined) return undefined
  const all = strengths.reduce((sum, strength) => sum + strength, 0)
  const level = (strengths[index] as number) / all
  return { title: `${titleOf(endAt)}: ${team}`, description: DESCRIPTION, level, isCalledOff: false }
}

/** Returns the cup that ends then, as it is created. */
export function cupAt(startAt: TimeMs, endAt: TimeMs): NewGroup {
  const title = titleOf(endAt)
  const terms = {
    payout: CUP.payout as PriceTicks,
    tickSize: CUP.tickSize,
    minBet: amount(UNITS_PER_RUPEE),
    maxBet: amount(50_000 * UNITS_PER_RUPEE),
    capacity: lots(100_000_000),
    startAt,
    endAt,
  }
  const markets = CUP_TEAMS.map(label => {
    const full = `${title}: ${label}`
    const words = { title: full, slug: slugOf(full), label, description: DESCRIPTION }
    return { terms, listing: { ...words, sot: 'Demo', category: 'Cups' } }
  })
  return { kind: 'exclusive', listing: { title, description: DESCRIPTION }, markets }
}

function strengthsOf(endAt: TimeMs): number[] {
  const chance = new Chance(endAt)
  return CUP_TEAMS.map(() => 0.2 + chance.share())
}
