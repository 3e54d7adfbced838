import { effect } from '@preact/signals'
import { access, hear } from './admin-access.js'
import { clientsWith } from './admin-clients.js'
import { adminToken } from './admin-token.js'

// Another token is another question.
effect(() => {
  void adminToken.value
  access.value = 'asking'
})

/** Asks the exchange whether it lets the operator in. Leaves it open where there is no answer. */
export async function knock(): Promise<void> {
  const token = adminToken.value
  const code = await answerTo(token)
  if (token !== adminToken.value) return
  if (code === undefined) access.value = 'in'
  else if (code === 401) access.value = 'token_wanted'
  else if (code === 403) {
    // Without a token the exchange says whether it wants one at all.
    const bare = token === undefined ? 403 : await answerTo(undefined)
    if (token === adminToken.value) access.value = bare === 401 ? 'token_wrong' : 'shut_out'
  }
}

async function answerTo(token: string | undefined): Promise<number | undefined> {
  try {
    await clientsWith(token).asking.operator.fetchHealth()
    hear()
    return undefined
  } catch (error) {
    return hear(error)?.code
  }
}
