import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import type { Market } from '../../../client/shapes.js'
import { UNITS_PER_RUPEE } from '../../../core/units.js'
import { enter, nextStep } from '../entry.js'
import { userId } from '../session.js'
import { changeSetting, settings } from '../settings/page-settings.js'
import type { DraftFault } from './draft-faults.js'
import type { TicketDraft } from './ticket-draft.js'
import { sendDraft } from './ticket-order.js'
import type { TicketResult } from './ticket-result.js'
import type { TicketState, TicketView } from './ticket-state.js'
import { unitOf } from './ticket-state.js'
import type { TicketSum } from './ticket-sum.js'

/** Orders from this worth on, in units of ₹0.0001, are large. */
export const LARGE_UNITS = 500 * UNITS_PER_RUPEE

/** How far the ticket’s order has got. */
export interface Sending {
  /** True once the order was to be sent as it is; then errors about unfinished fields show. */
  readonly isTried: Signal<boolean>
  /** True while the order waits for confirmation. */
  readonly isAsking: Signal<boolean>
  readonly isSending: Signal<boolean>
  /** The answer, until the ticket changes. */
  readonly result: Signal<TicketResult | undefined>
  /** Sends the order, or asks first. */
  readonly submit: () => void
  readonly send: () => Promise<void>
}

/** Sends the ticket’s order; what was shown about it goes as soon as the ticket changes. */
export function useSending(
  { ticket, book }: TicketView,
  market: Market,
  draft: TicketDraft,
  sum: TicketSum | undefined,
  fault: DraftFault | undefined,
): Sending {
  const [isTried, isAsking, isSending] = [useSignal(false), useSignal(false), useSignal(false)]
  const result = useSignal<TicketResult | undefined>(undefined)
  useLayoutEffect(() => {
    isTried.value = false
    result.value = undefined
  }, typedIn(ticket))

  const send = async () => {
    isAsking.value = false
    if (userId.value === undefined || isSending.value) return
    isSending.value = true
    result.value = undefined
    if (unitOf(ticket) === 'rupees') changeSetting('ticket_rupees', ticket.amountText.value)
    else changeSetting('ticket_contracts', ticket.quantityText.value)
    const answer = await sendDraft(draft, market, book, userId.value)
    isSending.value = false
    result.value = answer
  }
  const submit = () => {
    isTried.value = true
    if (userId.value === undefined || nextStep.value !== undefined) return enter()
    if (fault !== undefined || isSending.value || market.status !== 'open') return
    if (asksFirst(draft, sum)) isAsking.value = true
    else void send()
  }
  return { isTried, isAsking, isSending, result, submit, send }
}

/** Returns true if the user wants to confirm such an order. */
function asksFirst({ deal }: TicketDraft, sum: TicketSum | undefined): boolean {
  const wanted = settings.peek().ticket_confirm
  if (wanted !== 'large') return wanted === 'always'
  return sum !== undefined && (deal === 'buy' ? sum.costUnits : sum.proceedsUnits) >= LARGE_UNITS
}

/** Returns everything that a person can change on the ticket. */
function typedIn(ticket: TicketState): readonly string[] {
  const { deal, outcome, orderType, priceText, unit, quantityText, amountText } = ticket
  return [deal, outcome, orderType, priceText, unit, quantityText, amountText].map(({ value }) => value)
}
