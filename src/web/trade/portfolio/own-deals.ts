import type { Fill } from '../../../client/shapes.js'

/** Contracts that a user bought or sold, at a price of their outcome. */
export interface Deal {
  readonly deal: 'buy' | 'sell'
  readonly outcome: 'yes' | 'no'
  readonly quantity: number
  readonly price: number
}

type Part = Pick<Fill, 'side' | 'outcome' | 'qty' | 'price' | 'amount'>

const hundredths = (value: number) => Math.round(value * 100)

/**
 * Returns what a fill did for its user, in the words of the order: bought or sold the outcome that it named.
 * Only contracts that were not there cannot be sold: a `sell` that found none to sell has bought the other
 * outcome, and says so. Without the payout, which is needed to tell, the order's words are used.
 */
export function dealsOf({ side, outcome, qty, price, amount }: Part, payout: number | undefined): Deal[] {
  const quantity = qty
  if (side === outcome) return [{ deal: 'buy', outcome, quantity, price }]
  if (payout === undefined) return [{ deal: 'sell', outcome, quantity, price }]
  const lots = hundredths(qty)
  const ticks = hundredths(price)
  const payoutTicks = hundredths(payout)
  // A lot sold brings its price, a lot bought instead costs the other outcome's.
  const sold = (Math.round(amount * 10_000) + (payoutTicks - ticks) * lots) / payoutTicks
  const bought = lots - sold
  const other = outcome === 'yes' ? 'no' : 'yes'
  const deals: Deal[] = []
  if (sold > 0) deals.push({ deal: 'sell', outcome, quantity: sold / 100, price })
  if (bought > 0)
    deals.push({ deal: 'buy', outcome: other, quantity: bought / 100, price: (payoutTicks - ticks) / 100 })
  return deals
}
