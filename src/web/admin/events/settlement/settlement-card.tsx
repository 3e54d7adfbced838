import { useSignal } from '@preact/signals'
import type { Market, Outcome, PreviewedSettlement } from '../../../../client/client.js'
import { countText } from '../../../kit/number-texts.js'
import type { Column } from '../../../kit/table.jsx'
import { t } from '../../../texts/admin-events.js'
import { clients } from '../../admin-clients.js'
import { SettlementForm } from './settlement-form.jsx'
import { SettlementPreview } from './settlement-preview.jsx'
import { settlementWords } from './settlement-sum.js'
import { ResultDetails } from '../../../kit/result-details.jsx'

interface SettlementCardProps {
  readonly market: Market
  readonly onDone: () => void
}

/** Resolves the event in two steps, choose and confirm; shows the outcome afterwards. */
export function SettlementCard({ market, onDone }: SettlementCardProps) {
  const outcome = useSignal<Outcome | undefined>(undefined)
  const pick = (picked: Outcome | undefined) => {
    outcome.value = picked
  }
  if (market.outcome !== null) return <ResolvedResult market={market} />
  const isClosed = market.status === 'closed'
  return (
    <section class="card" aria-labelledby="settlement-title">
      <div class="card-head">
        <h2 id="settlement-title">{t.settle.title}</h2>
      </div>
      <div class="card-body form">
        <p class="soft">{isClosed ? t.settle.closed : t.settle.trading}</p>
        <fieldset class="outcomes">
          <legend class="unseen">{t.settle.outcome}</legend>
          {(['yes', 'no', 'void'] as const).map(option => (
            <button
              key={option}
              type="button"
              class={`button outcome outcome-${option}`}
              aria-pressed={outcome.value === option}
              disabled={!isClosed && option !== 'void'}
              onClick={() => pick(option)}
            >
              {option === 'void' ? t.settle.void : t.outcome[option]}
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

const HOLDINGS: readonly Column<PreviewedSettlement>[] = [
  { ...{ id: 'yes', label: t.outcome.yes, kind: 'number' }, cell: ({ yes }) => countText(yes) },
  { ...{ id: 'no', label: t.outcome.no, kind: 'number' }, cell: ({ no }) => countText(no) },
]

interface ChosenProps extends SettlementCardProps {
  readonly outcome: Outcome
  readonly onLeave: () => void
}

function Chosen({ market, outcome, onDone, onLeave }: ChosenProps) {
  /** True once the preview adds up; only then can the event be resolved. */
  const isWhole = useSignal(false)
  const take = (whole: boolean) => {
    isWhole.value = whole
  }
  return (
    <>
      <SettlementPreview
        isVoid={outcome === 'void'}
        fetchPage={page => clients.asking.operator.previewSettlement(market.event_id, { outcome, ...page })}
        version={`${market.status} ${market.open_interest}`}
        holdings={HOLDINGS}
        wordsOf={totals => settlementWords(outcome, totals)}
        onWhole={take}
      />
      {isWhole.value && (
        <SettlementForm market={market} outcome={outcome} onDone={onDone} onLeave={onLeave} />
      )}
    </>
  )
}

/** Shows the outcome of a resolved event. */
function ResolvedResult({ market }: { readonly market: Market }) {
  const { outcome } = market
  const words = outcome === 'void' ? t.life.voided : t.settle.resolved(t.outcome[outcome ?? 'void'])
  return (
    <section class={`notice resolved resolved-${outcome}`} aria-label={t.settle.result}>
      <p class="resolved-words">{words}</p>
      <ResultDetails market={market} />
    </section>
  )
}
