import { remember, remembered } from '../../kit/browser-memory.js'
import { hundredthsIn } from '../../kit/hundredths.js'
import type { Unit } from './ticket-draft.js'
import type { TicketHabits } from './ticket-state.js'

/** Choices that this browser keeps; the first of each suits a newcomer. */
const CHOICES = {
  type: ['MO', 'LO'],
  unit: ['rupees', 'contracts'],
  confirm: ['large', 'always', 'never'],
  keys: ['on', 'off'],
} as const

type Habit = keyof typeof CHOICES
type Choice<Name extends Habit> = (typeof CHOICES)[Name][number]

/** Returns what was chosen earlier in this browser. */
export function habit<Name extends Habit>(name: Name): Choice<Name> {
  const kept = remembered(`ticket.${name}`)
  const options: readonly Choice<Name>[] = CHOICES[name]
  return options.find(option => option === kept) ?? CHOICES[name][0]
}

/** Keeps a choice, or the quantity last ordered, for the next ticket. */
export function keepHabit(name: Habit | Unit, value: string): void {
  remember(`ticket.${name}`, value)
}

/** Returns how the user of this browser begins a ticket. */
export function keptHabits(): Partial<TicketHabits> {
  const [contracts, rupees] = [lastQuantity('contracts'), lastQuantity('rupees')]
  return {
    orderType: habit('type'),
    unit: habit('unit'),
    ...(contracts !== undefined && { contracts }),
    ...(rupees !== undefined && { rupees }),
  }
}

/** Returns the quantity last ordered, as typed. */
function lastQuantity(unit: Unit): string | undefined {
  const kept = remembered(`ticket.${unit}`)
  return kept !== undefined && hundredthsIn(kept) !== undefined ? kept : undefined
}
