import type { MarketStatus } from '../../../client/client.js'

const STEPS: readonly (readonly [words: string, states: readonly MarketStatus[]])[] = [
  ['Scheduled', ['scheduled']],
  ['Open', ['open', 'halted']],
  ['Closed', ['closed']],
  ['Resolved', ['resolved']],
  ['Settled', ['settled', 'voided']],
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
          {index === now && status === 'halted' ? 'Halted' : words}
        </li>
      ))}
    </ol>
  )
}
