import { effect, untracked } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { settings } from '../settings/page-settings.js'
import { settingsOwner } from '../settings/settings-owner.js'
import type { TicketState } from './ticket-state.js'
import { forgetSent, newTicket, typedIn } from './ticket-state.js'

/**
 * Creates a ticket that begins with the settings known by now: what arrives later counts from the next one
 * on, so that none changes by itself. A visitor who becomes a user keeps what they typed; from one user to
 * another nothing of it stays.
 */
export function useOwnTicket(): TicketState {
  const ticket = useMemo(() => newTicket(location.search, settings.peek()), [])
  useEffect(() => forgetWithChanges(ticket), [ticket])
  const owner = settingsOwner.value
  const before = useRef(owner)
  useEffect(() => {
    if (before.current !== undefined && before.current !== owner) restart(ticket)
    before.current = owner
  }, [owner])
  return ticket
}

/** Keeps what is said about an order until the ticket changes. Returns how to stop. */
function forgetWithChanges(ticket: TicketState): () => void {
  let before = typedIn(ticket)
  return effect(() => {
    const now = typedIn(ticket)
    if (now !== before) untracked(() => forgetSent(ticket))
    before = now
  })
}

function restart(ticket: TicketState): void {
  const { orderType, unit, quantityText, amountText } = newTicket('', settings.peek())
  ticket.orderType.value = orderType.value
  ticket.unit.value = unit.value
  ticket.quantityText.value = quantityText.value
  ticket.amountText.value = amountText.value
  forgetSent(ticket)
}
