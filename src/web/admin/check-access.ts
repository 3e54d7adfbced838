import { signal } from '@preact/signals'
import { callAuth } from '../auth/auth-client.js'
import { loadSession } from '../auth/auth-session.js'
import { takeSecret } from '../auth/fragment-secret.js'
import { isOperator } from '../auth/is-operator.js'
import { signInFault } from '../auth/sign-in-faults.js'
import { failureOf } from '../forms/action.js'
import { access, recordOutcome } from './admin-access.js'

/** Why the link that opened this page signed nobody in; empty if it did. */
export const linkFault = signal('')

let code = takeSecret('code')
/** Set once the operator goes on without an admin. */
let isWithoutAdmin = false

/** Uses the code of a link, if there is one, and asks who is signed in; keeps the state without an answer. */
export async function checkAccess(): Promise<void> {
  try {
    await useCode()
    const { needs_admin, caller } = await loadSession()
    recordOutcome()
    const isFirst = needs_admin && caller?.kind === 'operator_session' && !isWithoutAdmin
    if (caller === null) access.value = 'signed_out'
    else if (!isOperator(caller)) access.value = 'other_role'
    else access.value = isFirst ? 'first_admin' : 'in'
  } catch (error) {
    recordOutcome(error)
  }
}

/**
 * Checks access again, after a sign-in.
 * @param withoutAdmin opens the pages although there is no admin yet
 */
export function checkAgain({ withoutAdmin = isWithoutAdmin } = {}): void {
  isWithoutAdmin = withoutAdmin
  linkFault.value = ''
  access.value = 'asking'
}

/** Exchanges a code for a session. Rejects if the exchange does not answer: then the code is still good. */
async function useCode(): Promise<void> {
  if (code === undefined) return
  try {
    await callAuth('POST', '/code', { body: { code } })
  } catch (error) {
    const failure = failureOf(error)
    if (failure.retryable) throw failure
    linkFault.value = signInFault(failure, []).words
  }
  code = undefined
}

// A link that is opened in a tab with this page changes only the fragment.
addEventListener('hashchange', () => {
  code = takeSecret('code')
  if (code !== undefined) checkAgain()
})
