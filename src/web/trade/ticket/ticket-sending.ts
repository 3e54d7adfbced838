import type { Market } from '../../../client/shapes.js'
import { UNITS_PER_RUPEE } from '../../../core/units.js'
import { nowMs } from '../../kit/browser-clock.js'
import { enter, nextStep } from '../entry.js'
import { connectionState } from '../exchange-client.js'
import { userId } from '../session.js'
import { changeSetting, settings } from '../settings/page-settings.js'
import type { DraftFault } from './draft-faults.js'
import type { TicketDraft } from './ticket-draft.js'
import { requestOf, sendOrder } from './ticket-order.js'
import type { TicketState } from './ticket-state.js'
import { typedIn, unitOf } from './ticket-state.js'
import type { TicketSum } from './ticket-sum.js'

/** Orders from this worth on, in units of ₹0.0001, are large. */
export const LARGE_UNITS = 500 * UNITS_PER_RUPEE
/** A second press this soon after the answer belongs to the first, as in a double click. */
const AGAIN_AFTER_MS = 1000

/** The ways to send the ticket’s order. */
export interface Sending {
  /** Sends the order, or asks first. */
  readonly submit: () => void
  readonly send: () => Promise<void>
}

/** Returns how to send the ticket’s order as it is shown now. */
export function sendingOf(
  ticket: TicketState,
  market: Market,
  draft: TicketDraft,
  sum: TicketSum | undefined,
  fault: DraftFault | undefined,
): Sending {
  const { sent } = ticket
  const send = async () => {
    sent.isAsking.value = false
    const user = userId.peek()
    if (user === undefined || sent.isSending.peek()) return
    const typed = typedIn(ticket)
    const unanswered = sent.unanswered.peek()
    sent.isSending.value = true
    sent.result.value = undefined
    if (unitOf(ticket) === 'rupees') changeSetting('ticket_rupees', ticket.amountText.peek())
    else changeSetting('ticket_contracts', ticket.quantityText.peek())
    const request = unanswered ?? requestOf(draft, market.event_id, user)
    const answer = await sendOrder(request, unanswered !== undefined)
    sent.isSending.value = false
    // The answer is for the user who asked.
    if (userId.peek() !== user) return
    const isUnchanged = typedIn(ticket) === typed
    sent.result.value = answer.result
    sent.unanswered.value = isUnchanged ? answer.unanswered : undefined
    sent.answeredAt.value = isUnchanged ? nowMs() : undefined
  }
  const submit = () => {
    sent.isTried.value = true
    if (userId.peek() === undefined || nextStep.peek() !== undefined) return enter()
    if (sent.isSending.peek() || connectionState.peek().state === 'offline') return
    if (sent.unanswered.peek() !== undefined) {
      void send()
      return
    }
    if (isDoubled(ticket) || fault !== undefined || market.status !== 'open') return
    if (asksFirst(sum)) sent.isAsking.value = true
    else void send()
  }
  return { submit, send }
}

function isDoubled({ sent }: TicketState): boolean {
  const answeredAt = sent.answeredAt.peek()
  return answeredAt !== undefined && Math.abs(nowMs() - answeredAt) < AGAIN_AFTER_MS
}

/** Returns true if the user wants to confirm such an order. */
function asksFirst(sum: TicketSum | undefined): boolean {
  const wanted = settings.peek().ticket_confirm
  if (wanted !== 'large') return wanted === 'always'
  return sum !== undefined && sum.worthUnits >= LARGE_UNITS
}
