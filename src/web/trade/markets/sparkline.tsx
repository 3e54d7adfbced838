import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Candle, ListedMarket } from '../../../client/shapes.js'
import { nowMs } from '../../kit/browser-clock.js'
import { exchange } from '../exchange-client.js'
import { candlesFor } from '../chart/chart-range.js'
import { sparkPath } from './spark-path.js'

const WIDTH = 120
const HEIGHT = 36
const DAY_MS = 86_400_000

/** A sparkline of the chance over the last week, or the last day for a new market. */
export function Sparkline({
  market,
  isWanted,
}: {
  readonly market: ListedMarket
  readonly isWanted: boolean
}) {
  const candles = useSignal<readonly Candle[]>([])
  const { event_id, createdAt, payout } = market
  useEffect(() => {
    if (!isWanted || market.last_price === null) return
    const now = nowMs()
    const isYoung = now - Date.parse(createdAt) < 2 * DAY_MS
    exchange.fetchCandles(event_id, candlesFor(isYoung ? '1D' : '1W', now, Date.parse(createdAt))).then(
      found => {
        candles.value = found
      },
      // A missing sparkline does not matter.
      () => {},
    )
  }, [isWanted, event_id, createdAt, market.last_price, candles])
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <line x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <path
        d={sparkPath(
          candles.value.map(({ close }) => close / payout),
          WIDTH,
          HEIGHT,
        )}
      />
    </svg>
  )
}
