import type { Market } from '../../../../client/client.js'
import { ResultDetails } from '../../../kit/result-details.jsx'
import { t } from '../../../texts/admin-events.js'

/** Shows the outcome of a resolved event. */
export function ResolvedResult({ market }: { readonly market: Market }) {
  const { outcome } = market
  const words = outcome === 'void' ? t.life.voided : t.settle.resolved(t.outcome[outcome ?? 'void'])
  return (
    <section class={`notice resolved resolved-${outcome}`} aria-label={t.settle.result}>
      <p class="resolved-words">{words}</p>
      <ResultDetails market={market} />
    </section>
  )
}
