import { signal } from '@preact/signals'

/** What the exchange says of itself at its bare address. */
interface ExchangeFacts {
  /** What a new user gets, in rupees; undefined before it is known. */
  readonly startingBalance: number | undefined
  /** All in it is make-believe, traded by bots. */
  readonly isDemo: boolean
}

export const exchangeFacts = signal<ExchangeFacts>({ startingBalance: undefined, isDemo: false })

/** Asks the exchange once; without an answer a new user's money reads as a dash until the first order. */
export async function fetchExchangeFacts(): Promise<void> {
  const answer = await fetch('/', { headers: { Accept: 'application/json' } }).catch(() => undefined)
  if (answer?.ok !== true) return
  const { additional = {} } = (await answer.json()) as {
    readonly additional?: { readonly starting_balance?: number; readonly demo?: boolean }
  }
  exchangeFacts.value = { startingBalance: additional.starting_balance, isDemo: additional.demo === true }
}
