import { signal } from '@preact/signals'

const KEY = 'raay.admin-token'

/** What the operator typed in to be let in; it is gone with the tab, and never in an address. */
export const adminToken = signal(kept())

/** Takes a token for this tab; without one, forgets the one that there is. */
export function keepToken(token: string | undefined): void {
  adminToken.value = token
  try {
    if (token === undefined) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, token)
  } catch {
    return
  }
}

function kept(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined
  } catch {
    return undefined
  }
}
