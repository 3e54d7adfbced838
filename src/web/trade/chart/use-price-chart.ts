import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Side } from '../../../core/order.js'
import { theme } from '../../kit/theme-button.jsx'
import type { ChartContent } from './chart-content.js'
import type { OwnMarks } from './own-marks.js'
import type { ChartUnit, PriceChart } from './price-chart.js'
import { drawPriceChart } from './price-chart.js'

interface Drawn {
  readonly outcome: Side
  readonly payout: number
  readonly unit: ChartUnit
}

/** Draws a chart once its content is loaded, and again for another outcome, unit or theme. */
export function usePriceChart(
  content: ChartContent | undefined,
  own: OwnMarks,
  { outcome, payout, unit }: Drawn,
  index: Signal<number | undefined>,
) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<PriceChart | undefined>(undefined)
  const latest = useRef({ content, own })
  latest.current = { content, own }
  const colours = theme.value
  const isReady = content !== undefined
  useEffect(() => {
    if (!isReady) return
    const { content: first, own: marks } = latest.current
    if (place.current === null || first === undefined) return
    const onCursor = (at: number | undefined) => {
      index.value = at
    }
    chart.current = drawPriceChart(place.current, { outcome, payout, unit, onCursor }, [first, marks])
    return () => {
      index.value = undefined
      chart.current?.destroy()
      chart.current = undefined
    }
  }, [isReady, outcome, payout, unit, colours, index])
  useEffect(() => {
    if (content !== undefined) chart.current?.show(content, own)
  }, [content, own])
  return { place, chart }
}
