import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { account } from '../../account.js'
import { isNarrow } from '../../narrow-screen.js'
import { changeSetting, settings } from '../../settings/page-settings.js'
import type { ShortcutName } from './shortcuts.js'
import { shortcutOf } from './shortcuts.js'
import { takesText } from './text-field.js'
import type { TicketDraft, Unit } from '../ticket-draft.js'
import type { TicketState } from '../ticket-state.js'
import { chooseDeal } from '../ticket-state.js'

/** True while the list of keys is shown. */
export const isHelpOpen = signal(false)

/** Lets the keyboard work the ticket of a market page. */
export function useTicketKeys(ticket: TicketState, eventId: string): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const focused = document.activeElement as HTMLInputElement | null
      if (document.querySelector('dialog[open]') !== null) return
      if (event.key === 'Escape' && focused !== null && takesText(focused)) return focused.blur()
      const name = shortcutOf(event, focused)
      if (name === undefined || (!settings.peek().ticket_keys && name !== 'help')) return
      // The digit that was pressed goes into the field that has the focus then.
      if (name !== 'digit') event.preventDefault()
      if (isNarrow.value && name !== 'help' && name !== 'exit') ticket.isSheetOpen.value = true
      act(name, ticket, eventId)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [ticket, eventId])
}

function act(name: ShortcutName | 'digit', ticket: TicketState, eventId: string): void {
  if (name === 'digit' || name === 'quantity') focusOn('#ticket-quantity')
  else if (name === 'buy' || name === 'sell') chooseDeal(ticket, name)
  else if (name === 'yes' || name === 'no') click(`.outcome-${name} input`)
  else if (name === 'market' || name === 'limit') chooseType(ticket, name === 'market' ? 'MO' : 'LO')
  else if (name === 'rupees' || name === 'contracts') chooseUnit(ticket, name)
  else if (name === 'send') document.querySelector<HTMLFormElement>('form.ticket')?.requestSubmit()
  else if (name === 'exit') exit(ticket, eventId)
  else if (name === 'help') isHelpOpen.value = true
  else focusOn('#ticket-price')
}

function chooseType(ticket: TicketState, type: TicketDraft['orderType']): void {
  ticket.orderType.value = type
  changeSetting('ticket_type', type)
}

function chooseUnit(ticket: TicketState, unit: Unit): void {
  ticket.unit.value = unit
  changeSetting('ticket_unit', unit)
}

/** Asks whether to sell what the user holds; YES first, if it is both. */
function exit(ticket: TicketState, eventId: string): void {
  const held = account.value.positions?.find(({ event_id }) => event_id === eventId)
  if (held !== undefined) ticket.exiting.value = held.yes > 0 ? 'yes' : held.no > 0 ? 'no' : undefined
}

function focusOn(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus()
}

/** Clicks, so that the price follows the outcome as it does under a finger. */
function click(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click()
}
