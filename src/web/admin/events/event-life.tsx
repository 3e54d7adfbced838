import { useSignal } from '@preact/signals'
import type { Market, MarketStatus } from '../../../client/client.js'
import { secondClock } from '../../kit/browser-clock.js'
import { dayTimeText, timeLeftText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-events.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'
import { ConfirmDialog } from '../../forms/confirm-dialog.jsx'
import { countText } from '../../kit/number-texts.js'

interface EventLifeProps {
  readonly market: Market
  readonly onDone: () => void
}

type Move = 'haltMarket' | 'resumeMarket' | 'closeMarket'

/** The event’s status, and the buttons that change it. */
export function EventLife({ market, onDone }: EventLifeProps) {
  const { fault, isBusy, forget, run } = useOperatorAction()
  const isClosing = useSignal(false)
  const move = (how: Move) =>
    run(async () => {
      await clients.doing.operator[how](market.event_id)
      if (how === 'closeMarket') isClosing.value = false
      onDone()
    })
  const askToClose = (isAsked: boolean) => {
    isClosing.value = isAsked
    forget()
  }
  return (
    <section class="card" aria-label={t.lifeLabel}>
      <LifeSteps status={market.status} />
      <div class="card-body life-line">
        <p>{statusText(market, secondClock.value)}</p>
        <Moves market={market} isBusy={isBusy} onMove={move} onClose={() => askToClose(true)} />
      </div>
      {isClosing.value ? (
        <CloseDialog
          market={market}
          errorMessage={fault?.words ?? ''}
          isBusy={isBusy}
          onDo={() => move('closeMarket')}
          onLeave={() => askToClose(false)}
        />
      ) : (
        <p class="card-foot fault" role="alert">
          {fault?.words}
        </p>
      )}
    </section>
  )
}

interface MovesProps {
  readonly market: Market
  readonly isBusy: boolean
  readonly onMove: (how: Move) => void
  readonly onClose: () => void
}

function Moves({ market: { status }, isBusy, onMove, onClose }: MovesProps) {
  if (status !== 'scheduled' && status !== 'open' && status !== 'halted') return null
  return (
    <div class="life-moves">
      {status === 'open' && (
        <button type="button" class="button" disabled={isBusy} onClick={() => onMove('haltMarket')}>
          {t.halt}
        </button>
      )}
      {status === 'halted' && (
        <button
          type="button"
          class="button button-main"
          disabled={isBusy}
          onClick={() => onMove('resumeMarket')}
        >
          {t.resume}
        </button>
      )}
      <button type="button" class="button button-danger-quiet" onClick={onClose}>
        {t.close}
      </button>
    </div>
  )
}

function statusText({ status, start_date, end_date, outcome }: Market, now: number): string {
  const left = (date: string) => timeLeftText(Date.parse(date) - now)
  switch (status) {
    case 'scheduled':
      return t.life.scheduled(left(start_date), dayTimeText(start_date))
    case 'open':
      return t.life.open(left(end_date), dayTimeText(end_date))
    case 'halted':
      return t.life.halted(left(end_date))
    case 'settled':
      return t.life.settled(t.outcome[outcome ?? 'void'])
    default:
      return t.life[status]
  }
}

interface CloseDialogProps {
  readonly market: Market
  readonly errorMessage: string
  readonly isBusy: boolean
  readonly onDo: () => void
  readonly onLeave: () => void
}

/** Confirms the end of trading in an event. */
function CloseDialog({ market, ...rest }: CloseDialogProps) {
  const pairs = countText(market.open_interest)
  return (
    <ConfirmDialog
      title={t.closing.title}
      understood={t.closing.understood}
      doIt={t.closing.doIt}
      leaveIt={t.cancel}
      {...rest}
    >
      <p>
        <b>{market.title}</b>
      </p>
      <ul class="plain-list">
        <li>{t.closing.orders}</li>
        <li>{market.open_interest === 0 ? t.closing.noPositions : t.closing.positions(pairs)}</li>
        <li>{t.closing.halt}</li>
      </ul>
    </ConfirmDialog>
  )
}

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
