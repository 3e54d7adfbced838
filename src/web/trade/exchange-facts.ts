import { signal } from '@preact/signals'
import { t } from '../texts/frame.js'

/** Facts about the exchange, from `GET /`. */
interface ExchangeFacts {
  /** A new user’s balance in rupees; undefined until loaded. */
  readonly startingBalance: number | undefined
  /** How users reach the operator, if that is known. */
  readonly contact?: string | undefined
  /** True for a demo with made-up markets traded by bots. */
  readonly isDemo: boolean
}

export const exchangeFacts = signal<ExchangeFacts>({ startingBalance: undefined, isDemo: false })

/** Fetches the facts once; if that fails, a new user’s balance shows a dash until the first order. */
export async function fetchExchangeFacts(): Promise<void> {
  const answer = await fetch('/', { headers: { Accept: 'application/json' } }).catch(() => undefined)
  if (answer?.ok !== true) return
  const { additional = {} } = (await answer.json()) as {
    readonly additional?: {
      readonly starting_balance?: number
      readonly contact?: string
      readonly demo?: boolean
    }
  }
  exchangeFacts.value = {
    startingBalance: additional.starting_balance,
    contact: additional.contact,
    isDemo: additional.demo === true,
  }
}

/** Says how a user without money gets some. */
export function moneyRequest(): string {
  return t.askForMoney(exchangeFacts.value.contact)
}
