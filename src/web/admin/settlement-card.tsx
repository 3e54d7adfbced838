import { useSignal } from '@preact/signals'
import type { Market, Outcome } from '../../client/client.js'
import { dayTimeText } from '../time-texts.js'
import { SettlementForm } from './settlement-form.jsx'
import { SettlementPreview } from './settlement-preview.jsx'

interface SettlementCardProps {
  readonly market: Market
  readonly onDone: () => void
}

/** How the event came out: chosen, looked at, told; or what was told. */
export function SettlementCard({ market, onDone }: SettlementCardProps) {
  const outcome = useSignal<Outcome | undefined>(undefined)
  /** Whether the sum of what is shown is nothing, as it has to be. */
  const isWhole = useSignal(false)
  if (market.outcome !== null) return <Told market={market} />
  const isClosed = market.status === 'closed'
  const pick = (picked: Outcome) => {
    outcome.value = picked
    isWhole.value = false
  }
  return (
    <section class="card" aria-labelledby="settlement-title">
      <div class="card-head">
        <h2 id="settlement-title">How it came out</h2>
      </div>
      <div class="card-body form">
        <p class="soft">
          {isClosed
            ? 'Choose, look at every payout, then type the event’s code. It is told once and cannot be changed.'
            : 'YES and NO can be told once it is closed. It can be made void at any time: every trade is undone.'}
        </p>
        <fieldset class="outcomes">
          <legend class="unseen">The outcome</legend>
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
          <>
            <SettlementPreview
              key={outcome.value}
              market={market}
              outcome={outcome.value}
              onWhole={whole => {
                isWhole.value = whole
              }}
            />
            {isWhole.value && (
              <SettlementForm
                key={`${outcome.value} form`}
                market={market}
                outcome={outcome.value}
                onDone={onDone}
                onLeave={() => {
                  outcome.value = undefined
                }}
              />
            )}
          </>
        )}
      </div>
    </section>
  )
}

function Told({ market }: { readonly market: Market }) {
  const { outcome, resolvedAt, source_url, note, status } = market
  return (
    <section class={`notice told told-${outcome}`} aria-label="The result">
      <p class="told-words">
        {outcome === 'void' ? 'Void: every trade is undone.' : `It came out ${outcome?.toUpperCase()}.`}
      </p>
      <p>
        {resolvedAt !== null && `Told ${dayTimeText(resolvedAt)}. `}
        {status === 'resolved' && 'Being paid out. '}
        {note}
        {source_url !== null && /^https?:/.test(source_url) && (
          <>
            {' '}
            <a href={source_url} rel="noopener noreferrer nofollow" target="_blank">
              Source
            </a>
          </>
        )}
      </p>
    </section>
  )
}
