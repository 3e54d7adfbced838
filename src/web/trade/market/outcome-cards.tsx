import { useRef } from 'preact/hooks'
import { LiveText } from '../../kit/live-text.jsx'
import { rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/ticket.js'
import { chooseOutcome } from '../ticket/choose-outcome.js'
import { bestPrice } from '../ticket/first-offer.js'
import type { Outcome } from '../ticket/ticket-draft.js'
import type { TicketState } from '../ticket/ticket-state.js'
import type { Book } from './ladder-rows.js'

interface OutcomeCardsProps {
  readonly ticket: TicketState
  readonly payout: number
  readonly book: Book
}

/** A finger that moves this far sideways chooses the outcome on that side. */
const SWIPE_PX = 40

/** The choice of YES or NO, each with its current price. */
export function OutcomeCards({ ticket, payout, book }: OutcomeCardsProps) {
  const deal = ticket.deal.value
  const startX = useRef<number | undefined>(undefined)
  const choose = (outcome: Outcome) => chooseOutcome({ ticket, book, payout }, outcome)
  return (
    <fieldset
      class="outcomes"
      onTouchStart={event => {
        startX.current = event.touches[0]?.clientX
      }}
      onTouchEnd={event => {
        const moved = (event.changedTouches[0]?.clientX ?? 0) - (startX.current ?? 0)
        if (Math.abs(moved) >= SWIPE_PX) choose(moved > 0 ? 'no' : 'yes')
      }}
    >
      <legend class="unseen">{t.outcomeLegend}</legend>
      {(['yes', 'no'] as const).map(outcome => (
        <label key={outcome} class={`outcome outcome-${outcome}`}>
          <input
            type="radio"
            name="outcome"
            checked={ticket.outcome.value === outcome}
            onChange={() => choose(outcome)}
          />
          <span>
            <b>{t.outcome[outcome]}</b>
            <PriceNow price={bestPrice({ deal, outcome }, book, payout)} isBuying={deal === 'buy'} />
          </span>
        </label>
      ))}
    </fieldset>
  )
}

interface PriceNowProps {
  readonly price: number | undefined
  readonly isBuying: boolean
}

function PriceNow({ price, isBuying }: PriceNowProps) {
  if (price === undefined) return <small>{isBuying ? t.noSellers : t.noBuyers}</small>
  return (
    <small>
      <LiveText text={rupeesText(price)} />
    </small>
  )
}
