import type { MarketStatus } from '../../core/market.js'
import type { TimeMs } from '../../core/units.js'
import { amount, amountToRupees, toContracts, toRupees } from '../../core/units.js'
import { tradingView } from '../events/event-view.js'
import type { ShownMarket } from '../events/shown-market.js'
import type { GroupAnswer, MoneyAnswer, PositionAnswer } from './group-answer.js'
import type { ShownGroup, ShownHolding, ShownMoney } from './shown-group.js'

/** The status of a group is the first of these that an outcome without a result has. */
const LIVE_FIRST = ['open', 'halted', 'scheduled', 'closed'] as const satisfies readonly MarketStatus[]

const iso = (ms: number) => new Date(ms).toISOString()

/** Returns a group as clients see it, in INR and contracts. */
export function groupView(group: ShownGroup, now: TimeMs): GroupAnswer {
  const { terms, listing, markets, isExclusive } = group
  const winner = markets.find(({ progress }) => progress.outcome === 'yes')
  return {
    code: String(terms.code),
    title: listing.title,
    description: listing.description,
    kind: terms.kind,
    payout: toRupees(terms.payout),
    createdAt: iso(listing.createdAt),
    end_date: iso(markets.reduce((last, market) => Math.max(last, market.terms.endAt), 0)),
    category: markets[0]?.listing.category ?? null,
    none_of_these: listing.hasNone === true,
    status: statusOf(group),
    winner: isExclusive && winner !== undefined ? String(winner.terms.code) : null,
    outcomes: markets.map(market => outcomeView(market, now)),
  }
}

/** Returns a user's contracts in a group, and what each outcome would pay, however the position is held. */
export function positionView(group: ShownGroup, userid: string, holding: ShownHolding): PositionAnswer {
  return {
    code: String(group.terms.code),
    userid,
    paid: rupees(holding.paid),
    releasable: rupees(holding.releasable),
    outcomes: Array.from(holding.outcomes, ([market, { yes, no, yesLocked, noLocked, pays }]) => ({
      event_id: String(market.terms.code),
      label: labelOf(market),
      yes: toContracts(yes),
      no: toContracts(no),
      yes_locked: toContracts(yesLocked),
      no_locked: toContracts(noLocked),
      pays: rupees(pays),
    })),
  }
}

/** Returns what a group holds and pays, as operators see it. */
export function moneyView({ terms }: ShownGroup, { escrow, payout, fees }: ShownMoney): MoneyAnswer {
  return {
    code: String(terms.code),
    escrow: rupees(escrow),
    payout: rupees(payout),
    fees: rupees([...fees.values()].reduce((sum, its) => sum + its, 0)),
    outcomes: Array.from(fees, ([market, its]) => ({
      event_id: String(market.terms.code),
      fees: rupees(its),
    })),
  }
}

function outcomeView(market: ShownMarket, now: TimeMs): GroupAnswer['outcomes'][number] {
  const { terms, progress } = market
  return {
    event_id: String(terms.code),
    label: labelOf(market),
    image: market.image ?? null,
    status: progress.status,
    outcome: progress.outcome ?? null,
    ...tradingView(market, now),
  }
}

function statusOf({ markets, isVoid }: ShownGroup): MarketStatus {
  const statuses = new Set(markets.map(({ progress }) => progress.status))
  const live = LIVE_FIRST.find(status => statuses.has(status))
  if (live !== undefined) return live
  if (isVoid || !(statuses.has('resolved') || statuses.has('settled'))) return 'voided'
  return statuses.has('resolved') ? 'resolved' : 'settled'
}

function labelOf({ listing }: ShownMarket): string {
  return listing.label ?? listing.title
}

const rupees = (units: number) => amountToRupees(amount(units))
