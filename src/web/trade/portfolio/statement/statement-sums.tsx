import type { Settlement } from '../../../../client/shapes.js'
import { gainTone } from '../../../kit/number-texts.js'
import type { Column } from '../../../kit/table.jsx'
import { Table } from '../../../kit/table.jsx'
import { dayTimeText } from '../../../kit/time-texts.js'
import { locale } from '../../../texts/language.js'
import { t } from '../../../texts/portfolio.js'
import { titleOf } from '../../titles.js'
import { exactSum } from '../lists/row-groups.js'
import type { Statement } from './statement.js'

/** Down to ₹0.0001, the least that the exchange knows: rounded lines would not add up. */
const EXACT = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'INR',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
})

/** The opening balance, each sum of the year, and the closing balance. */
export function StatementSums({ statement }: { readonly statement: Statement }) {
  const { opening, lines, closing, positions, gain, entries } = statement
  const rows = [
    ...lines.filter(([, sum]) => sum !== 0).map(([name, sum]) => [t.statementLines[name], sum] as const),
    [t.fees, 0] as const,
  ]
  return (
    <div class="table-frame">
      <table class="table statement-sums">
        <tbody>
          <tr class="statement-sum">
            <th scope="row">{t.openingBalance}</th>
            <td class="number">{exactText(opening)}</td>
          </tr>
          {rows.map(([label, sum]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td class="number">{signedText(sum)}</td>
            </tr>
          ))}
          <tr class="statement-sum">
            <th scope="row">{t.closingBalance}</th>
            <td class="number">{exactText(closing)}</td>
          </tr>
          <tr>
            <th scope="row">{t.positionsAtMarket}</th>
            <td class="number">{exactText(positions)}</td>
          </tr>
          <tr class="statement-sum">
            <th scope="row">{t.gainOfYear}</th>
            <td class={`number ${gainTone(gain)}`}>{signedText(gain)}</td>
          </tr>
        </tbody>
      </table>
      <p class="list-sum faint">{t.sumOfEntries(entries)}</p>
    </div>
  )
}

const SETTLED: readonly Column<Settlement>[] = [
  {
    ...{ id: 'market', label: t.market, kind: 'wide' },
    cell: ({ event_id, settledAt }) => (
      <>
        {titleOf(event_id)}
        <small>{dayTimeText(settledAt)}</small>
      </>
    ),
  },
  { ...{ id: 'result', label: t.result }, cell: ({ outcome }) => t.outcomes[outcome] },
  {
    ...{ id: 'invested', label: t.invested, kind: 'number', isRoomy: true },
    cell: ({ paid }) => exactText(paid),
  },
  { ...{ id: 'payout', label: t.payout, kind: 'number' }, cell: ({ payment }) => exactText(payment) },
  { ...{ id: 'gain', label: t.gain, kind: 'number' }, cell: ({ result }) => signedText(result) },
]

/** The markets that were settled in the year. */
export function SettledInYear({ settlements }: { readonly settlements: readonly Settlement[] }) {
  if (settlements.length === 0) return null
  return (
    <>
      <h3 class="statement-part">{t.settledInYear}</h3>
      <Table
        columns={SETTLED}
        rows={settlements}
        keyOf={({ event_id }) => event_id}
        foot={
          <tr class="statement-sum">
            <th scope="row">{t.total}</th>
            <td class="roomy" />
            <td colSpan={2} />
            <td class="number">{signedText(exactSum(settlements, ({ result }) => result))}</td>
          </tr>
        }
      />
    </>
  )
}

function exactText(rupees: number): string {
  return rupees < 0 ? `−${EXACT.format(-rupees)}` : EXACT.format(rupees)
}

function signedText(rupees: number): string {
  return rupees > 0 ? `+${exactText(rupees)}` : exactText(rupees)
}
