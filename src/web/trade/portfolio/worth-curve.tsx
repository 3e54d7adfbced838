import type { Signal } from '@preact/signals'
import { rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/portfolio.js'
import { curveOf } from './curve-path.js'

const WIDTH = 800
const HEIGHT = 160

interface WorthCurveProps {
  /** Profit or loss since the first point, at equal distances of time. */
  readonly gains: readonly number[]
  /** The point under the pointer or chosen with the arrow keys. */
  readonly pointed: Signal<number | undefined>
}

/** The course of profit and loss, above and below zero. */
export function WorthCurve({ gains, pointed }: WorthCurveProps) {
  const last = gains.length - 1
  if (last < 1) return <div class="worth-curve" />
  const { path, zeroY } = curveOf(gains, WIDTH, HEIGHT)
  const end = gains[last] ?? 0
  const at = pointed.value
  const point = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect()
    const share = (event.clientX - left) / Math.max(1, width)
    pointed.value = Math.min(last, Math.max(0, Math.round(share * last)))
  }
  const step = (event: KeyboardEvent) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (steps === undefined) return
    event.preventDefault()
    pointed.value = Math.min(last, Math.max(0, (at ?? last) + steps))
  }
  return (
    <div
      class={`worth-curve ${end < 0 ? 'worth-loss' : 'worth-gain'}`}
      role="slider"
      tabIndex={0}
      aria-label={t.course}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={at ?? last}
      aria-valuetext={rupeesText(gains[at ?? last] ?? 0, 'signed')}
      onPointerMove={point}
      onPointerLeave={() => {
        pointed.value = undefined
      }}
      onKeyDown={step}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="worth-area" d={`${path}V${zeroY}H0Z`} />
        <path class="worth-zero" d={`M0 ${zeroY}H${WIDTH}`} />
        <path class="worth-line" d={path} />
        {at !== undefined && <path class="worth-mark" d={`M${(at / last) * WIDTH} 0V${HEIGHT}`} />}
      </svg>
    </div>
  )
}
