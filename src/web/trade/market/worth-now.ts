import { TICKS_PER_RUPEE, UNITS_PER_RUPEE } from '../../../core/units.js'
import { estimateFill } from '../ticket/fill-estimate.js'
import type { Outcome } from '../ticket/ticket-draft.js'
import type { Book, OwnOrder } from './ladder-rows.js'

interface Held {
  readonly outcome: Outcome
  /** Contracts, and what each pays, in rupees. */
  readonly held: number
  readonly payout: number
}

/** The proceeds of contracts if they were sold now. */
export interface WorthNow {
  /** Contracts that find a buyer. */
  readonly sold: number
  /** In rupees. */
  readonly money: number
  readonly isAll: boolean
}

/** Returns what the order book pays for contracts: a last price may be one at which nobody buys. */
export function worthNow({ outcome, held, payout }: Held, book: Book, own: readonly OwnOrder[]): WorthNow {
  const lots = Math.round(held * 100)
  const { filledLots, receivedUnits } = estimateFill(
    {
      side: outcome === 'yes' ? 'no' : 'yes',
      limitTicks: undefined,
      lots,
      coveredLots: lots,
      payoutTicks: Math.round(payout * TICKS_PER_RUPEE),
    },
    book,
    own,
  )
  return { sold: filledLots / 100, money: receivedUnits / UNITS_PER_RUPEE, isAll: filledLots === lots }
}

/** Returns an outcome’s price from that of YES. */
export function priceOf(outcome: Outcome, yesPrice: number, payout: number): number {
  return outcome === 'yes' ? yesPrice : Math.round((payout - yesPrice) * 100) / 100
}
