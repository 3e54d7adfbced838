import type { MarketStatus } from '../../../client/client.js'

const STEPS: readonly (readonly [words: string, states: readonly MarketStatus[]])[] = [
  ['Scheduled', ['scheduled']],
  ['Open', ['open', 'halted']],
  ['Closed', ['closed']],
  ['Result', ['resolved']],
  ['Paid', ['settled', 'voided']],
]

/** The life of an event, and where it is in it. */
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
