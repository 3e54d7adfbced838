import type { Market } from '../../../client/client.js'
import { ResultDetails } from '../../kit/result-details.jsx'

/** How an event came out, as it was told. */
export function ToldResult({ market }: { readonly market: Market }) {
  const { outcome } = market
  const words =
    outcome === 'void' ? 'Void: all trades are reversed and refunded.' : `Resolved: ${outcome?.toUpperCase()}`
  return (
    <section class={`notice told told-${outcome}`} aria-label="Result">
      <p class="told-words">{words}</p>
      <ResultDetails market={market} />
    </section>
  )
}
