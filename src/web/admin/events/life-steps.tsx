import type { MarketStatus } from '../../../client/client.js'
import { t } from '../../texts/admin-events.js'

const STEPS: readonly (readonly [words: string, states: readonly MarketStatus[]])[] = [
  [t.steps.scheduled, ['scheduled']],
  [t.steps.open, ['open', 'halted']],
  [t.steps.closed, ['closed']],
  [t.steps.resolved, ['resolved']],
  [t.steps.settled, ['settled', 'voided']],
]

/** Shows the stages of an event and marks the current one. */
export function LifeSteps({ status }: { readonly status: MarketStatus }) {
  const now = STEPS.findIndex(([, states]) => states.includes(status))
  return (
    <ol class="steps">
      {STEPS.map(([words], index) => (
        <li
          key={words}
          class={index < now ? 'step-done' : index === now ? `step-now step-${status}` : ''}
          aria-current={index === now ? 'step' : undefined}
        >
          {index === now && status === 'halted' ? t.steps.halted : words}
        </li>
      ))}
    </ol>
  )
}
