import { useEffect } from 'preact/hooks'
import type { Market } from '../../../client/shapes.js'
import { Icon } from '../../kit/icons.jsx'
import { countText } from '../../kit/number-texts.js'
import { t } from '../../texts/ticket.js'
import { nextStep } from '../entry.js'
import { connectionState } from '../exchange-client.js'
import type { Book, OwnOrder } from '../market/ladder-rows.js'
import { ConfirmOrder } from '../orders/confirm-order.jsx'
import { settings } from '../settings/page-settings.js'
import { useBuyingPower } from './buying-power.js'
import { useDeal } from './choose-outcome.js'
import { emptyBookFault, faultOf } from './draft-faults.js'
import { FaultLine } from './fault-line.jsx'
import type { TicketDraft } from './ticket-draft.js'
import { termsOf } from './ticket-draft.js'
import { TicketFoot } from './ticket-foot.jsx'
import { TicketInputs } from './ticket-inputs.jsx'
import { FirstBet } from './first-bet.jsx'
import { firstOffer } from './first-offer.js'
import { sendingOf } from './ticket-sending.js'
import type { SentState, TicketState, TicketView } from './ticket-state.js'
import { sumTicket } from './ticket-sum.js'
import { TicketSummary } from './ticket-summary.jsx'
import { offerPrice } from './ticket-state.js'
import { draftOf } from './typed-draft.js'

const EMPTY: Book = { bids: [], asks: [] }

export interface TicketProps {
  readonly market: Market
  /** Undefined until it is loaded. */
  readonly book: Book | undefined
  readonly own: readonly OwnOrder[]
  readonly ticket: TicketState
}

/** The order ticket. */
export function Ticket({ market, book, own, ticket }: TicketProps) {
  const terms = termsOf(market)
  const power = useBuyingPower(market.event_id)
  const tolerance = settings.value.ticket_tolerance
  const view: TicketView = {
    ticket,
    payout: market.payout,
    book: book ?? EMPTY,
    own,
    terms,
    power,
    tolerance,
  }
  const draft = draftOf(ticket, view)
  const fault = (book && emptyBookFault(draft, book)) ?? faultOf(draft, terms, power)
  // Beside an invalid price, totals would speak of an order that cannot be.
  const sum = fault?.field === 'price' ? undefined : sumTicket(draft, terms, power, view.book, own)
  const { sent } = ticket
  const { submit, send } = sendingOf(ticket, market, draft, sum, fault)
  useFirstPrice(ticket, market, book)
  useDeal(view)
  // An answer is shown until the ticket changes; what was sold cannot be sold again; that is no news.
  const isShown = sent.result.value === undefined && (sent.isTried.value || fault?.isIncomplete !== true)
  const shownFault = isShown ? fault : undefined
  const sendable = fault?.field === 'price' ? { ...draft, lots: undefined } : draft
  const summary = <TicketSummary draft={draft} sum={sum} terms={terms} />
  return (
    <>
      <form
        class="ticket"
        onSubmit={event => {
          event.preventDefault()
          submit()
        }}
        aria-label={t.ticket}
        noValidate
      >
        <FirstBet ticket={ticket} />
        <TicketInputs {...view} fault={shownFault} />
        {summary}
        <SendButton draft={sendable} status={market.status} sent={sent} />
        <FaultLine fault={shownFault} ticket={ticket} />
        <Answer sent={sent} />
        <TicketFoot />
      </form>
      {sent.isAsking.value && (
        <ConfirmOrder title={sendText(draft)} outcome={draft.outcome} isAsking={sent.isAsking} send={send}>
          {summary}
        </ConfirmOrder>
      )}
    </>
  )
}

interface SendButtonProps {
  readonly draft: TicketDraft
  readonly status: Market['status']
  readonly sent: SentState
}

/** Sends the order; while it is on its way the button keeps its colours, and its focus. */
function SendButton({ draft, status, sent }: SendButtonProps) {
  const isUnanswered = sent.unanswered.value !== undefined
  const isOffline = connectionState.value.state === 'offline'
  const what = isUnanswered ? t.checkOrder : status === 'open' ? sendText(draft) : t.notTrading(status)
  const online = status === 'open' ? (nextStep.value?.trade ?? what) : what
  const words = isOffline ? t.offline : online
  return (
    <button
      type="submit"
      class={`button button-${draft.outcome} ticket-send`}
      disabled={isOffline || (status !== 'open' && !isUnanswered)}
      aria-busy={sent.isSending.value}
    >
      {words}
    </button>
  )
}

/** Shows the result of the last order. */
export function Answer({ sent }: { readonly sent: SentState }) {
  const { mood = 'neutral', words, isFilled } = sent.result.value ?? {}
  return (
    <p class={`ticket-answer mood-${mood}`} role="status">
      {sent.isSending.value && <span class="ticket-waiting">{t.sending}</span>}
      {isFilled && <Icon shape="check" />}
      {words}
    </p>
  )
}

/** Returns what the order does, for its button. */
function sendText({ deal, lots, outcome, amount }: TicketDraft): string {
  const name = t.outcome[outcome]
  const what = deal === 'buy' ? t.buyWhat : t.sellWhat
  if (lots === undefined || (amount !== undefined && lots === 0)) return what(name)
  return what(name, countText(lots / 100))
}

/** Starts a new ticket at the best price, else with a limit at the last one or in the middle. */
function useFirstPrice(ticket: TicketState, market: Market, book: Book | undefined): void {
  useEffect(() => {
    if (book === undefined || ticket.priceText.value !== '') return
    const [deal, outcome, orderType] = [ticket.deal.value, ticket.outcome.value, ticket.orderType.value]
    const first = firstOffer({ deal, outcome, orderType }, book, market)
    ticket.orderType.value = first.orderType
    offerPrice(ticket, first.price)
  }, [book !== undefined])
}
