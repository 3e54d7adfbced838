import type { Market } from '../../../client/client.js'
import { ResultDetails } from '../../kit/result-details.jsx'

/** Shows the outcome of a resolved event. */
export function ResolvedResult({ market }: { readonly market: Market }) {
  const { outcome } = market
  const words =
    outcome === 'void' ? 'Void: all trades are reversed and refunded.' : `Resolved: ${outcome?.toUpperCase()}`
  return (
    <section class={`notice resolved resolved-${outcome}`} aria-label="Result">
      <p class="resolved-words">{words}</p>
      <ResultDetails market={market} />
    </section>
  )
}
