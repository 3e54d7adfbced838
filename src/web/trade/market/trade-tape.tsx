import type { Trade } from '../../../client/shapes.js'
import { nowMs } from '../../kit/browser-clock.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/market.js'
import { tradeTimeText } from '../chart/when-texts.js'

interface TradeTapeProps {
  /** Undefined until loaded. */
  readonly trades: readonly Trade[] | undefined
  readonly payout: number
  readonly isOver: boolean
}

/** The latest trades, newest first: who took the price, and what each side paid. */
export function TradeTape({ trades, payout, isOver }: TradeTapeProps) {
  if (trades === undefined) return <p class="empty">{t.loadingTrades}</p>
  if (trades.length === 0) return <p class="empty">{isOver ? t.neverTraded : t.noTradesYet}</p>
  const now = nowMs()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a stop there the keyboard could not scroll it
    <section class="tape-frame" aria-label={t.latestTrades} tabIndex={0}>
      <table class="table tape">
        <thead>
          <tr>
            <th scope="col">{t.time}</th>
            <th scope="col" title={t.sideMeans}>
              {t.side}
            </th>
            <th scope="col" class="number">
              {t.outcomes.yes}
            </th>
            <th scope="col" class="number">
              {t.outcomes.no}
            </th>
            <th scope="col" class="number">
              {t.contracts}
            </th>
          </tr>
        </thead>
        <tbody>
          {trades.map(({ ts, taker_side, price, qty }, place) => (
            // A row stays where it is and its text changes: nothing on the page moves.
            <tr
              key={place}
              title={t.bothSides(countText(qty), rupeesText(price), rupeesText(payout - price))}
            >
              <td class="when" title={dayTimeText(ts)}>
                {tradeTimeText(ts, now)}
              </td>
              <td class={taker_side}>{t.outcomes[taker_side]}</td>
              <td class={`number ${taker_side === 'yes' ? 'yes' : 'faint'}`}>{rupeesText(price)}</td>
              <td class={`number ${taker_side === 'no' ? 'no' : 'faint'}`}>{rupeesText(payout - price)}</td>
              <td class="number">{countText(qty)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
