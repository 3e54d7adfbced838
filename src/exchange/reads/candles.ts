import { LIMITS } from '../../api/limits.js'
import type { CandleRange, CandleRow } from '../../core/records/trade-record.js'
import type { TimeMs } from '../../core/units.js'
import { NO_LOTS } from '../../core/units.js'
import type { TradedCandles } from '../../store/rows/candle-rows.js'

const CANDLES_DEFAULT = 500

/** Starts of intervals: `from` is inclusive, `to` exclusive. */
export interface CandleSpan {
  readonly first: TimeMs
  readonly end: TimeMs
}

/** Returns the range in whole intervals since 1970, UTC, up to the current interval. */
export function spanOf({ intervalMs, from, to }: CandleRange, now: TimeMs): CandleSpan | 'candles_too_many' {
  const floor = (time: number) => (time - (time % intervalMs)) as TimeMs
  const ceiling = (time: number) => floor(time + intervalMs - 1)
  const end = Math.min(ceiling(to ?? now + 1), ceiling(now + 1)) as TimeMs
  const first = from === undefined ? ((end - CANDLES_DEFAULT * intervalMs) as TimeMs) : floor(from)
  return (end - first) / intervalMs > LIMITS.candlesMax ? 'candles_too_many' : { first, end }
}

/** Fills intervals without trades with candles of the last price, once there is one. */
export function fillGaps(
  { closeBefore, candles }: TradedCandles,
  { first, end }: CandleSpan,
  intervalMs: number,
): CandleRow[] {
  const filled: CandleRow[] = []
  let close = closeBefore
  let next = 0
  for (let ts = first; ts < end; ts = (ts + intervalMs) as TimeMs) {
    const traded = candles[next]
    if (traded?.ts === ts) {
      filled.push(traded)
      close = traded.close
      next++
    } else if (close !== undefined) {
      filled.push({ ts, open: close, high: close, low: close, close, volume: NO_LOTS, trades: 0 })
    }
  }
  return filled
}
