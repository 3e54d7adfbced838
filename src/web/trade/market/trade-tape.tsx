import type { Trade } from '../../../client/shapes.js'
import { chanceText, countText, rupeesText } from '../../kit/number-texts.js'
import { clockText, dayTimeText } from '../../kit/time-texts.js'

interface TradeTapeProps {
  readonly trades: readonly Trade[]
  readonly payout: number
}

/** The latest trades, newest first. */
export function TradeTape({ trades, payout }: TradeTapeProps) {
  if (trades.length === 0) return <p class="empty">No trades yet.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a stop there the keyboard could not scroll it
    <section class="tape-frame" aria-label="Latest trades" tabIndex={0}>
      <table class="table tape">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Side</th>
            <th scope="col" class="number">
              YES price
            </th>
            <th scope="col" class="number">
              Contracts
            </th>
          </tr>
        </thead>
        <tbody>
          {trades.map(({ ts, taker_side, price, qty }, place) => (
            // A row stays where it is and its text changes: nothing on the page moves.
            <tr key={place}>
              <td class="when" title={dayTimeText(ts)}>
                {clockText(ts)}
              </td>
              <td class={taker_side}>{taker_side.toUpperCase()}</td>
              <td class="number">
                {rupeesText(price)} <span class="faint">{chanceText(price / payout)}</span>
              </td>
              <td class="number">{countText(qty)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
