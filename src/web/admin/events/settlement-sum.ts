import type { Outcome, PreviewTotals } from '../../../client/client.js'
import { countText, rupeesText } from '../../kit/number-texts.js'

/** A line of the sum: what comes in has a plus, what goes out a minus; nothing is left over. */
export interface SumLine {
  readonly words: string
  readonly money: string
}

/** Where the money of a settlement comes from and where it goes. */
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

/** Why an outcome must not be told by these totals, if it must not. */
export function sumFault({ sum }: PreviewTotals): string | undefined {
  if (sum === 0) return undefined
  const left = rupeesText(sum, 'signed')
  return `These payouts do not add up: ${left} is left over. Tell nothing, and check the books under Health.`
}

/** What will happen, in a sentence. */
export function settlementWords(outcome: Outcome, { users, payout }: PreviewTotals): string {
  if (users === 0) return 'No open positions: nothing to pay.'
  const people = users === 1 ? '1 user' : `${countText(users)} users`
  const money = rupeesText(payout)
  if (outcome === 'void') {
    return `Every trade of ${people} is undone; ${money} goes back to those who had put it in.`
  }
  const [right, wrong] = outcome === 'yes' ? ['YES', 'NO'] : ['NO', 'YES']
  const hold = users === 1 ? 'holds' : 'hold'
  return `${people} ${hold} contracts. ${right} pays in full, ${money} together; ${wrong} pays nothing.`
}
