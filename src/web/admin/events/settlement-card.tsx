import { useSignal } from '@preact/signals'
import type { Market, Outcome } from '../../../client/client.js'
import { ToldResult } from './resolved-result.jsx'
import { SettlementForm } from './settlement-form.jsx'
import { SettlementPreview } from './settlement-preview.jsx'

interface SettlementCardProps {
  readonly market: Market
  readonly onDone: () => void
}

const HOW =
  'Choose an outcome, review every payout, then type the event code to confirm. This cannot be undone.'
const NOT_YET =
  'You can resolve YES or NO once trading closes. ' +
  'You can void the event at any time: all trades are reversed and refunded.'

/** How the event came out: chosen, looked at, told; or what was told. */
export function SettlementCard({ market, onDone }: SettlementCardProps) {
  const outcome = useSignal<Outcome | undefined>(undefined)
  const pick = (picked: Outcome | undefined) => {
    outcome.value = picked
  }
  if (market.outcome !== null) return <ToldResult market={market} />
  const isClosed = market.status === 'closed'
  return (
    <section class="card" aria-labelledby="settlement-title">
      <div class="card-head">
        <h2 id="settlement-title">Resolve market</h2>
      </div>
      <div class="card-body form">
        <p class="soft">{isClosed ? HOW : NOT_YET}</p>
        <fieldset class="outcomes">
          <legend class="unseen">Outcome</legend>
          {(['yes', 'no', 'void'] as const).map(option => (
            <button
              key={option}
              type="button"
              class={`button outcome outcome-${option}`}
              aria-pressed={outcome.value === option}
              disabled={!isClosed && option !== 'void'}
              onClick={() => pick(option)}
            >
              {option === 'void' ? 'Void…' : option.toUpperCase()}
            </button>
          ))}
        </fieldset>
        {outcome.value !== undefined && (
          <Chosen
            key={outcome.value}
            market={market}
            outcome={outcome.value}
            onDone={onDone}
            onLeave={() => pick(undefined)}
          />
        )}
      </div>
    </section>
  )
}

interface ChosenProps extends SettlementCardProps {
  readonly outcome: Outcome
  readonly onLeave: () => void
}

function Chosen({ market, outcome, onDone, onLeave }: ChosenProps) {
  /** Whether the sum of what is shown is nothing, as it has to be before it can be told. */
  const isWhole = useSignal(false)
  const take = (whole: boolean) => {
    isWhole.value = whole
  }
  return (
    <>
      <SettlementPreview market={market} outcome={outcome} onWhole={take} />
      {isWhole.value && (
        <SettlementForm market={market} outcome={outcome} onDone={onDone} onLeave={onLeave} />
      )}
    </>
  )
}
