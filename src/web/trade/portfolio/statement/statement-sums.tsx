import type { Settlement } from '../../../../client/shapes.js'
import { exactSum } from '../../../kit/exact-sum.js'
import { gainTone } from '../../../kit/number-texts.js'
import type { Column } from '../../../kit/table.jsx'
import { Table } from '../../../kit/table.jsx'
import { dayTimeText } from '../../../kit/time-texts.js'
import { t } from '../../../texts/portfolio.js'
import { titleOf } from '../../titles.js'
import { exactTexts } from './exact-texts.js'
import type { ExactTexts } from './exact-texts.js'
import type { Statement } from './statement.js'

/** The opening balance, each sum of the year, and the closing balance. */
export function StatementSums({ statement }: { readonly statement: Statement }) {
  const { opening, lines, closing, positions, gain, entries } = statement
  const rows = [
    ...lines.filter(([, sum]) => sum !== 0).map(([name, sum]) => [t.statementLines[name], sum] as const),
    [t.fees, 0] as const,
  ]
  const exact = exactTexts([opening, closing, positions, gain, ...rows.map(([, sum]) => sum)])
  return (
    <div class="table-frame">
      <table class="table statement-sums">
        <tbody>
          <tr class="statement-sum">
            <th scope="row">{t.openingBalance}</th>
            <td class="number">{exact.plain(opening)}</td>
          </tr>
          {rows.map(([label, sum]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td class="number">{exact.signed(sum)}</td>
            </tr>
          ))}
          <tr class="statement-sum">
            <th scope="row">{t.closingBalance}</th>
            <td class="number">{exact.plain(closing)}</td>
          </tr>
          <tr>
            <th scope="row">{t.positionsAtMarket}</th>
            <td class="number">{exact.plain(positions)}</td>
          </tr>
          <tr class="statement-sum">
            <th scope="row">{t.gainOfYear}</th>
            <td class={`number ${gainTone(gain)}`}>{exact.signed(gain)}</td>
          </tr>
        </tbody>
      </table>
      <p class="list-sum faint">{t.sumOfEntries(entries)}</p>
    </div>
  )
}

function settledColumns(exact: ExactTexts): readonly Column<Settlement>[] {
  return [
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
      cell: ({ paid }) => exact.plain(paid),
    },
    { ...{ id: 'payout', label: t.payout, kind: 'number' }, cell: ({ payment }) => exact.plain(payment) },
    { ...{ id: 'gain', label: t.gain, kind: 'number' }, cell: ({ result }) => exact.signed(result) },
  ]
}

/** The markets that were settled in the year. */
export function SettledInYear({ settlements }: { readonly settlements: readonly Settlement[] }) {
  if (settlements.length === 0) return null
  const exact = exactTexts(settlements.flatMap(({ paid, payment, result }) => [paid, payment, result]))
  return (
    <>
      <h3 class="statement-part">{t.settledInYear}</h3>
      <Table
        columns={settledColumns(exact)}
        rows={settlements}
        keyOf={({ event_id }) => event_id}
        foot={
          <tr class="statement-sum">
            <th scope="row">{t.total}</th>
            <td class="roomy" />
            <td colSpan={2} />
            <td class="number">{exact.signed(exactSum(settlements, ({ result }) => result))}</td>
          </tr>
        }
      />
    </>
  )
}
