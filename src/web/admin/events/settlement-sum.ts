import type { Outcome, PreviewTotals } from '../../../client/client.js'
import { countText, rupeesText } from '../../kit/number-texts.js'

/** A line of the sum: sources carry a plus, uses a minus. */
export interface SumLine {
  readonly words: string
  readonly money: string
}

/** Lists the sources and uses of a settlement’s money. */
export function sumLines(totals: PreviewTotals, outcome: Outcome): SumLine[] {
  const { escrow, collected, shortfall, payout, sum } = totals
  const line = (words: string, rupees: number, sign: 'plain' | 'signed' = 'signed') => ({
    words,
    money: rupeesText(rupees, sign),
  })
  return [
    line('From this event’s escrow', escrow),
    ...(outcome === 'void'
      ? [
          line('Collected from users in profit', collected),
          line('From the house, to cover the shortfall', shortfall),
        ]
      : []),
    line('To traders', -payout),
    line('Left over', sum, 'plain'),
  ]
}

/** Explains why these totals do not allow a resolution; undefined if they do. */
export function sumFault({ sum }: PreviewTotals): string | undefined {
  if (sum === 0) return undefined
  const left = rupeesText(sum, 'signed')
  const next = 'Do not resolve the event: verify the ledger under Health first.'
  return `These payouts do not add up: ${left} is left over. ${next}`
}

/** Describes the payouts in a sentence. */
export function settlementWords(outcome: Outcome, { users, payout }: PreviewTotals): string {
  if (users === 0) return 'No open positions: nothing to pay.'
  const people = users === 1 ? '1 user' : `${countText(users)} users`
  const money = rupeesText(payout)
  if (outcome === 'void') {
    return `All trades of ${people} are reversed; ${money} is refunded.`
  }
  const [right, wrong] = outcome === 'yes' ? ['YES', 'NO'] : ['NO', 'YES']
  const hold = users === 1 ? 'holds' : 'hold'
  return `${people} ${hold} contracts. ${right} pays ${money} in total; ${wrong} pays ₹0.`
}
