import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Market } from '../../../client/shapes.js'
import { countText } from '../../kit/number-texts.js'
import { enter, nextStep } from '../entry.js'
import type { Book, OwnOrder } from '../market/ladder-rows.js'
import { userId } from '../session.js'
import { useBuyingPower } from './buying-power.js'
import { faultOf } from './draft-faults.js'
import type { BuyingPower, TicketDraft } from './ticket-draft.js'
import { termsOf } from './ticket-draft.js'
import { TicketInputs } from './ticket-inputs.jsx'
import { bestPrice, sendDraft } from './ticket-order.js'
import type { TicketResult } from './ticket-result.js'
import type { TicketState } from './ticket-state.js'
import { draftOf, hundredthsText } from './ticket-state.js'
import { sumTicket } from './ticket-sum.js'
import { TicketSummary } from './ticket-summary.jsx'

const EMPTY: Book = { bids: [], asks: [] }

interface TicketProps {
  readonly market: Market
  readonly book: Book | undefined
  readonly own: readonly OwnOrder[]
  readonly ticket: TicketState
}

/** The order ticket. */
export function Ticket({ market, book = EMPTY, own, ticket }: TicketProps) {
  const result = useSignal<TicketResult | undefined>(undefined)
  const isSending = useSignal(false)
  const isTouched = useSignal(false)
  const terms = termsOf(market)
  const draft = draftOf(ticket)
  const power = useBuyingPower(market.event_id)
  const fault = faultOf(draft, terms, power)
  useFirstPrice(ticket, market, book)
  useWholeHolding(ticket, power)

  const send = async (event: Event) => {
    event.preventDefault()
    isTouched.value = true
    if (userId.value === undefined || nextStep.value !== undefined) return enter()
    if (fault !== undefined || isSending.value) return
    isSending.value = true
    result.value = undefined
    result.value = await sendDraft(draft, market, book, userId.value)
    isSending.value = false
  }
  // An untouched ticket shows no error about an empty quantity.
  const shownFault = isTouched.value || fault?.field === 'price' || draft.deal === 'sell' ? fault : undefined
  return (
    <form class="ticket" onSubmit={event => void send(event)} aria-label="Order ticket" noValidate>
      <TicketInputs
        ticket={ticket}
        payout={market.payout}
        book={book}
        terms={terms}
        power={power}
        fault={shownFault}
      />
      <TicketSummary draft={draft} sum={sumTicket(draft, terms, power, book, own)} terms={terms} />
      <button
        type="submit"
        class={`button button-${draft.outcome} ticket-send`}
        disabled={isSending.value || market.status !== 'open'}
      >
        {sendText(draft, market.status)}
      </button>
      <p id="ticket-fault" class="ticket-answer fault" role="alert">
        {shownFault?.words}
      </p>
      <p class={`ticket-answer mood-${result.value?.mood ?? 'neutral'}`} role="status">
        {isSending.value && <span class="ticket-waiting">Sending…</span>}
        {shownFault === undefined && result.value?.words}
      </p>
    </form>
  )
}

function sendText({ deal, lots, outcome }: TicketDraft, status: Market['status']): string {
  if (status !== 'open') return status === 'halted' ? 'Trading is halted' : 'Trading is not open'
  if (nextStep.value !== undefined) return nextStep.value.trade
  const what = deal === 'buy' ? 'Buy' : 'Sell'
  const name = outcome.toUpperCase()
  return lots === undefined ? `${what} ${name}` : `${what} ${countText(lots / 100)} ${name}`
}

/** Starts a new ticket at the best price, else the last price, else the middle. */
function useFirstPrice(ticket: TicketState, market: Market, book: Book): void {
  const isKnown = book !== EMPTY
  useEffect(() => {
    if (!isKnown || ticket.priceText.value !== '') return
    const offer = { deal: 'buy', outcome: ticket.outcome.value } as const
    const price = bestPrice(offer, book, market.payout) ?? market.last_price ?? market.payout / 2
    ticket.priceText.value = price.toFixed(2)
  }, [isKnown])
}

/** Fills in the whole position for an exit. */
function useWholeHolding(ticket: TicketState, { yesLots, noLots }: BuyingPower): void {
  const free = ticket.outcome.value === 'yes' ? yesLots : noLots
  const isDue = ticket.wantsAll.value && free > 0
  useEffect(() => {
    if (!isDue) return
    ticket.quantityText.value = hundredthsText(free)
    ticket.wantsAll.value = false
  }, [isDue, free])
}
