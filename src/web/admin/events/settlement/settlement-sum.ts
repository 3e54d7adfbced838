import type { Outcome, PreviewedSettlement, PreviewTotals } from '../../../../client/client.js'
import { rupeesText } from '../../../kit/number-texts.js'
import { t } from '../../../texts/admin-events.js'

/** A line of the sum: sources carry a plus, uses a minus. */
export interface SumLine {
  readonly words: string
  readonly money: string
}

/** Lists the sources and uses of a settlement’s money. */
export function sumLines(totals: Omit<PreviewTotals, 'yes' | 'no'>, isVoid: boolean): SumLine[] {
  const { escrow, collected, shortfall, payout, fees, sum } = totals
  const line = (words: string, rupees: number, sign: 'plain' | 'signed' = 'signed') => ({
    words,
    money: rupeesText(rupees, sign),
  })
  return [
    line(t.settle.escrow, escrow),
    ...(isVoid ? [line(t.settle.collected, collected), line(t.settle.house, shortfall)] : []),
    line(t.settle.toTraders, -payout),
    ...(fees === 0 ? [] : [line(t.settle.toFees, -fees)]),
    line(t.settle.left, sum, 'plain'),
  ]
}

/** The house quotes of a group have an account for each outcome: makes one row of theirs. */
export function withOneHouse<R extends Omit<PreviewedSettlement, 'yes' | 'no'>>(rows: readonly R[]): R[] {
  const quotes = rows.filter(({ userid }) => userid === '')
  const [first] = quotes
  const sum = (of: (row: R) => number) =>
    Math.round(quotes.reduce((all, row) => all + of(row), 0) * 1e4) / 1e4
  return rows.flatMap(row => {
    if (row.userid !== '') return row
    if (row !== first) return []
    return {
      ...row,
      ...{ paid: sum(({ paid }) => paid), payment: sum(({ payment }) => payment) },
      result: sum(({ result }) => result),
    }
  })
}

/** Explains why these totals do not allow a resolution; undefined if they do. */
export function sumFault({ sum }: Pick<PreviewTotals, 'sum'>): string | undefined {
  if (sum === 0) return undefined
  return t.settle.unequal(rupeesText(sum, 'signed'))
}

/** Describes the payouts in a sentence. */
export function settlementWords(outcome: Outcome, { users, payout }: PreviewTotals): string {
  if (users === 0) return t.settle.nobody
  const money = rupeesText(payout)
  if (outcome === 'void') return t.settle.voids(t.settle.users(users), money)
  const { yes, no } = t.outcome
  return outcome === 'yes' ? t.settle.pays(users, yes, no, money) : t.settle.pays(users, no, yes, money)
}
