import { effect } from '@preact/signals'
import { access, recordOutcome } from './admin-access.js'
import { clientsWith } from './admin-clients.js'
import { adminToken } from './admin-token.js'

// A new token has to be checked again.
effect(() => {
  void adminToken.value
  access.value = 'asking'
})

/** Asks the exchange whether the operator is authorised; keeps the current state if it does not respond. */
export async function checkAccess(): Promise<void> {
  const token = adminToken.value
  const code = await refusalOf(token)
  if (token !== adminToken.value) return
  if (code === undefined) access.value = 'in'
  else if (code === 401) access.value = 'token_wanted'
  else if (code === 403) {
    // A request without a token shows whether the exchange has one.
    const bare = token === undefined ? 403 : await refusalOf(undefined)
    if (token === adminToken.value) access.value = bare === 401 ? 'token_wrong' : 'local_only'
  }
}

async function refusalOf(token: string | undefined): Promise<number | undefined> {
  try {
    await clientsWith(token).asking.operator.fetchHealth()
    recordOutcome()
    return undefined
  } catch (error) {
    return recordOutcome(error)?.code
  }
}
