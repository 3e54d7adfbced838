import type { Market } from '../../../client/shapes.js'
import { secondClock } from '../../kit/browser-clock.js'
import { ResultDetails } from '../../kit/result-details.jsx'
import { timeLeftText } from '../../kit/time-texts.js'

/** Explains why a market does not trade, or shows its outcome; nothing while it is open. */
export function MarketBanner({ market }: { readonly market: Market }) {
  const { status, outcome, start_date } = market
  if (outcome === null) {
    const words = {
      open: undefined,
      scheduled: `Trading opens in ${timeLeftText(Date.parse(start_date) - secondClock.value)}.`,
      halted: 'Trading is halted. Resting orders stay in the book; you can cancel yours.',
      closed: 'Trading has closed. Awaiting result.',
      resolved: undefined,
      settled: undefined,
      voided: undefined,
    }[status]
    return words === undefined ? null : <p class="notice">{words}</p>
  }
  return (
    <section class={`notice result result-${outcome}`} aria-label="Result">
      <p class="result-words">
        {outcome === 'void'
          ? 'This market is void: all trades are reversed and refunded.'
          : `Resolved: ${outcome.toUpperCase()}`}
      </p>
      <ResultDetails market={market} />
    </section>
  )
}
