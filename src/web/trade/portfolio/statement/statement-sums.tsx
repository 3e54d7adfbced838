import type { Settlement } from '../../../../client/shapes.js'
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
            <td class={`number ${gain < 0 ? 'loss' : gain > 0 ? 'gain' : ''}`}>{signedText(gain)}</td>
          </tr>
        </tbody>
      </table>
      <p class="list-sum faint">{t.sumOfEntries(entries)}</p>
    </div>
  )
}

/** The markets that were settled in the year. */
export function SettledInYear({ settlements }: { readonly settlements: readonly Settlement[] }) {
  if (settlements.length === 0) return null
  return (
    <>
      <h3 class="statement-part">{t.settledInYear}</h3>
      <div class="table-frame">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t.market}</th>
              <th scope="col">{t.result}</th>
              <th scope="col" class="number roomy">
                {t.invested}
              </th>
              <th scope="col" class="number">
                {t.payout}
              </th>
              <th scope="col" class="number">
                {t.gain}
              </th>
            </tr>
          </thead>
          <tbody>
            {settlements.map(({ event_id, outcome, paid, payment, result, settledAt }) => (
              <tr key={event_id}>
                <td class="wide">
                  {titleOf(event_id)}
                  <small>{dayTimeText(settledAt)}</small>
                </td>
                <td>{t.outcomes[outcome]}</td>
                <td class="number roomy">{exactText(paid)}</td>
                <td class="number">{exactText(payment)}</td>
                <td class="number">{signedText(result)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr class="statement-sum">
              <th scope="row">{t.total}</th>
              <td class="roomy" />
              <td colSpan={2} />
              <td class="number">{signedText(exactSum(settlements, ({ result }) => result))}</td>
            </tr>
          </tfoot>
        </table>
      </div>
    </>
  )
}

function exactText(rupees: number): string {
  return rupees < 0 ? `−${EXACT.format(-rupees)}` : EXACT.format(rupees)
}

function signedText(rupees: number): string {
  return rupees > 0 ? `+${exactText(rupees)}` : exactText(rupees)
}
