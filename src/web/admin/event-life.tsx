import { useSignal } from '@preact/signals'
import type { Market, MarketStatus } from '../../client/client.js'
import { secondClock } from '../browser-clock.js'
import { countText } from '../number-texts.js'
import { dayTimeText, timeLeftText } from '../time-texts.js'
import { clients, hear } from './admin-access.js'
import { ConfirmDialog } from './confirm-dialog.jsx'
import { troubleWords } from './trouble-words.js'

interface EventLifeProps {
  readonly market: Market
  readonly onDone: () => void
}

type Move = 'haltMarket' | 'resumeMarket' | 'closeMarket'

/** Where the event is in its life, and how to move it on. */
export function EventLife({ market, onDone }: EventLifeProps) {
  const trouble = useSignal('')
  const isBusy = useSignal(false)
  const isClosing = useSignal(false)
  const move = async (how: Move) => {
    isBusy.value = true
    trouble.value = ''
    try {
      await clients.value.doing.operator[how](market.event_id)
      isClosing.value = false
      onDone()
    } catch (error) {
      const heard = hear(error)
      if (heard !== undefined) trouble.value = troubleWords(heard)
    }
    isBusy.value = false
  }
  const { status } = market
  const isTrading = status === 'open' || status === 'halted' || status === 'scheduled'
  return (
    <section class="card" aria-label="Its life">
      <Steps status={status} />
      <div class="card-body life-line">
        <p>{lifeWords(market, secondClock.value)}</p>
        {isTrading && (
          <div class="life-moves">
            {status === 'open' && (
              <button type="button" class="button" disabled={isBusy.value} onClick={() => move('haltMarket')}>
                Halt
              </button>
            )}
            {status === 'halted' && (
              <button
                type="button"
                class="button button-main"
                disabled={isBusy.value}
                onClick={() => move('resumeMarket')}
              >
                Resume
              </button>
            )}
            <button
              type="button"
              class="button button-danger-quiet"
              onClick={() => {
                isClosing.value = true
              }}
            >
              Close…
            </button>
          </div>
        )}
      </div>
      {!isClosing.value && trouble.value !== '' && (
        <p class="card-body fault" role="alert">
          {trouble.value}
        </p>
      )}
      {isClosing.value && (
        <CloseDialog
          market={market}
          trouble={trouble.value}
          isBusy={isBusy.value}
          onDo={() => move('closeMarket')}
          onLeave={() => {
            isClosing.value = false
            trouble.value = ''
          }}
        />
      )}
    </section>
  )
}

interface CloseDialogProps {
  readonly market: Market
  readonly trouble: string
  readonly isBusy: boolean
  readonly onDo: () => void
  readonly onLeave: () => void
}

function CloseDialog({ market, ...rest }: CloseDialogProps) {
  return (
    <ConfirmDialog
      title="Close this event for good?"
      understood="Trading ends now and cannot begin again."
      doIt="Close it"
      leaveIt="Leave it as it is"
      {...rest}
    >
      <p>
        <b>{market.title}</b>
      </p>
      <ul class="plain-list">
        <li>Every order in its book is cancelled, and what was held for it is given back.</li>
        <li>
          {market.open_interest === 0
            ? 'Nobody holds contracts.'
            : `${countText(market.open_interest)} YES and as many NO stay with who holds them, until you say how it came out.`}
        </li>
        <li>To stop it for a while only, halt it instead.</li>
      </ul>
    </ConfirmDialog>
  )
}

const STEPS: readonly (readonly [words: string, states: readonly MarketStatus[]])[] = [
  ['Scheduled', ['scheduled']],
  ['Open', ['open', 'halted']],
  ['Closed', ['closed']],
  ['Result', ['resolved']],
  ['Paid', ['settled', 'voided']],
]

function Steps({ status }: { readonly status: MarketStatus }) {
  const now = STEPS.findIndex(([, states]) => states.includes(status))
  return (
    <ol class="steps">
      {STEPS.map(([words, states], index) => (
        <li
          key={words}
          class={index < now ? 'step-done' : index === now ? `step-now step-${status}` : ''}
          aria-current={index === now ? 'step' : undefined}
        >
          {status === 'halted' && states.includes('halted') ? 'Halted' : words}
        </li>
      ))}
    </ol>
  )
}

function lifeWords({ status, start_date, end_date, outcome }: Market, now: number): string {
  const left = (date: string) => timeLeftText(Date.parse(date) - now)
  switch (status) {
    case 'scheduled':
      return `Trading opens by itself in ${left(start_date)}, on ${dayTimeText(start_date)}.`
    case 'open':
      return `People trade. It closes by itself in ${left(end_date)}, on ${dayTimeText(end_date)}.`
    case 'halted':
      return (
        'Halted: orders stay in the book and can be cancelled, and nobody can place new ones. ' +
        `It still closes by itself in ${left(end_date)}.`
      )
    case 'closed':
      return 'Trading is over. Say below how it came out.'
    case 'resolved':
      return 'Its result is told. Everybody is being paid.'
    case 'settled':
      return `It came out ${outcome?.toUpperCase()}. Everybody is paid.`
    case 'voided':
      return 'It is void: every trade in it is undone.'
  }
}
