import { signal } from '@preact/signals'

const KEY = 'raay.admin-token'

/** The operator’s token, kept for this tab only and never put in a URL. */
export const adminToken = signal(kept())

/** Stores a token for this tab; without one, removes it. */
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
