import { signal } from '@preact/signals'

/** What a new user gets, in rupees; undefined before it is known. */
export const startingBalance = signal<number | undefined>(undefined)

/** Asks the exchange once; without an answer a new user's money reads as a dash until the first order. */
export async function fetchStartingBalance(): Promise<void> {
  const answer = await fetch('/', { headers: { Accept: 'application/json' } }).catch(() => undefined)
  if (answer?.ok !== true) return
  const { additional } = (await answer.json()) as {
    readonly additional?: { readonly starting_balance?: number }
  }
  startingBalance.value = additional?.starting_balance
}
