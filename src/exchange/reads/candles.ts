import type { CandleRange, CandleRow } from '../../core/records/trade-record.js'
import type { TimeMs } from '../../core/units.js'
import { NO_LOTS } from '../../core/units.js'
import type { TradedCandles } from '../../store/rows/candle-rows.js'

/** The most candles of one answer, and how many there are where no beginning is named. */
export const CANDLES_MAX = 1000
const CANDLES_DEFAULT = 500

/** Both are the beginnings of intervals; the first is shown, the second not any more. */
export interface CandleSpan {
  readonly first: TimeMs
  readonly end: TimeMs
}

/** Intervals are counted from 1970, UTC. None is shown that has not begun. */
export function spanOf({ intervalMs, from, to }: CandleRange, now: TimeMs): CandleSpan | 'candles_too_many' {
  const floor = (time: number) => (time - (time % intervalMs)) as TimeMs
  const ceiling = (time: number) => floor(time + intervalMs - 1)
  const end = Math.min(ceiling(to ?? now + 1), ceiling(now + 1)) as TimeMs
  const first = from === undefined ? ((end - CANDLES_DEFAULT * intervalMs) as TimeMs) : floor(from)
  return (end - first) / intervalMs > CANDLES_MAX ? 'candles_too_many' : { first, end }
}

/** Puts a candle of the last price where nothing was traded, once there is a last price. */
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
