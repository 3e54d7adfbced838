import type { Market } from '../../../client/client.js'
import { ResultDetails } from '../../kit/result-details.jsx'

/** How an event came out, as it was told. */
export function ToldResult({ market }: { readonly market: Market }) {
  const { outcome } = market
  const words = outcome === 'void' ? 'Void: every trade is undone.' : `It came out ${outcome?.toUpperCase()}.`
  return (
    <section class={`notice told told-${outcome}`} aria-label="The result">
      <p class="told-words">{words}</p>
      <ResultDetails market={market} />
    </section>
  )
}
