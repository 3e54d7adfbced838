import { keepsOrders, PRICE_MARGIN } from '../../core/market.js'
import { amount, amountToRupees, lots, toContracts, toRupees } from '../../core/units.js'
import type { QuotedByHouse } from '../events/event-shape.js'
import type { ShownMarket } from '../events/shown-market.js'
import type { GroupQuotesAnswer, QuotesAnswer } from './liquidity-answer.js'
import type { ShownQuotes } from './shown-quotes.js'

const rupees = (units: number) => amountToRupees(amount(units))
const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())

/** Returns the house quotes of an event as operators see them, in INR and contracts. */
export function quotesView({ terms }: ShownMarket, shown: ShownQuotes): QuotesAnswer {
  const { budget, returned, startPrice, step, lossMax, means, results } = shown
  return {
    event_id: String(terms.code),
    status: shown.status,
    budget: rupees(budget),
    returned: rupees(returned),
    start_price: toRupees(startPrice),
    step: toRupees(step),
    max_loss: lossMax === undefined ? null : rupees(lossMax),
    worst_case: rupees(results.worst),
    result_if_yes: rupees(results.ifYes),
    result_if_no: rupees(results.ifNo),
    cash: rupees(means.cash),
    yes: toContracts(lots(means.yes)),
    no: toContracts(lots(means.no)),
    asks_only: startPrice - step < PRICE_MARGIN,
    rungs: rungsOf(shown),
    fundedAt: iso(shown.fundedAt),
    stoppedAt: iso(shown.stoppedAt),
  }
}

/** Returns the house quotes of the outcomes of a group, and their sums. */
export function groupQuotesView(
  code: number,
  quotes: ReadonlyMap<ShownMarket, ShownQuotes>,
): GroupQuotesAnswer {
  const all = [...quotes.values()]
  const sum = (of: (shown: ShownQuotes) => number) => {
    return rupees(all.reduce((total, shown) => total + of(shown), 0))
  }
  const isBack = all.every(({ lossMax }) => lossMax === undefined)
  return {
    code: String(code),
    budget: sum(({ budget }) => budget),
    returned: sum(({ returned }) => returned),
    max_loss: isBack ? null : sum(({ lossMax }) => lossMax ?? 0),
    worst_case: sum(({ results }) => results.worst),
    outcomes: Array.from(quotes, ([market, shown]) => {
      return { ...quotesView(market, shown), label: market.listing.label ?? market.listing.title }
    }),
  }
}

/** Returns the quotes of the house that everybody may see; undefined where it does not quote. */
export function publicQuotes(market: ShownMarket, shown: ShownQuotes | undefined): QuotedByHouse | undefined {
  const loss = lossOf(market, shown)
  return loss === undefined || shown === undefined
    ? undefined
    : { max_loss: rupees(loss), rungs: rungsOf(shown) }
}

/** Returns what everybody may see of the quotes in a group; undefined where the house quotes no outcome. */
export function publicGroupQuotes(
  quotes: readonly (readonly [ShownMarket, ShownQuotes | undefined])[],
): Pick<QuotedByHouse, 'max_loss'> | undefined {
  const losses = quotes.map(([market, shown]) => lossOf(market, shown)).filter(loss => loss !== undefined)
  return losses.length === 0 ? undefined : { max_loss: rupees(losses.reduce((sum, loss) => sum + loss)) }
}

/** Returns the most that the house can lose in a market, in units of ₹0.0001, while it quotes there. */
function lossOf({ progress }: ShownMarket, shown: ShownQuotes | undefined): number | undefined {
  return shown?.status === 'running' && keepsOrders(progress.status) ? shown.lossMax : undefined
}

function rungsOf({ rests }: ShownQuotes): QuotedByHouse['rungs'] {
  // Of each side the best first.
  const place = ({ side, price }: (typeof rests)[number]) => (side === 'yes' ? -price : price)
  return [...rests]
    .sort((a, b) => b.side.localeCompare(a.side) || place(a) - place(b))
    .map(({ side, price, lots: size }) => {
      return { side, price: toRupees(price), quantity: toContracts(size) }
    })
}
