import type { Market, Trade } from '../../../client/shapes.js'
import type { Side } from '../../../core/order.js'
import { chanceText, countText, rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/market.js'
import type { ChartPoint } from './chart-series.js'
import { momentText, tradeTimeText } from './when-texts.js'

/** The part of a chart that is read out. */
export interface ChartReading {
  readonly market: Pick<Market, 'payout'>
  readonly outcome: Side
  readonly unit: 'chance' | 'rupees'
  /** The chance of YES now, from 0 to 1; undefined without prices. */
  readonly chance: number | undefined
  /** The point under the cursor. */
  readonly point: ChartPoint | undefined
  readonly lastTrade: Trade | undefined
}

/** Returns what is shown for the point under the cursor, or for now. */
export function readoutTexts(
  { market, outcome, unit, chance, point, lastTrade }: ChartReading,
  now: number,
): readonly [what: string, when: string] {
  const { payout } = market
  const text = (yesPrice: number) => {
    const price = outcome === 'yes' ? yesPrice : payout - yesPrice
    return t.reading(t.outcomes[outcome], unit === 'chance' ? chanceText(price / payout) : rupeesText(price))
  }
  if (point !== undefined) {
    const when = momentText(point.at, now)
    if (point.label !== undefined) return [point.label, when]
    if (point.volume === undefined) return [text(point.price), when]
    const traded = point.volume > 0 ? t.traded(countText(point.volume)) : t.noTrades
    return [text(point.price), `${when} · ${traded}`]
  }
  const present =
    chance === undefined
      ? t.reading(t.outcomes[outcome], '–')
      : unit === 'rupees'
        ? text(chance * payout)
        : t.reading(t.outcomes[outcome], chanceText(outcome === 'yes' ? chance : 1 - chance, 'headline'))
  return [present, lastTrade === undefined ? '' : t.lastTradeAt(tradeTimeText(lastTrade.ts, now))]
}
