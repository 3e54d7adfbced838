import { computed, effect, signal } from '@preact/signals'
import { RaayClient, RaayError } from '../../client/client.js'
import { adminToken } from './admin-token.js'

/** Whether the exchange lets this page do what is the operator's, and why not. */
export type Access = 'asking' | 'in' | 'token_wanted' | 'token_wrong' | 'shut_out'

/** All speak for the operator, in their ways. */
interface Clients {
  /** Asks what will be asked again. */
  readonly asking: RaayClient
  /** Does what has to get through. */
  readonly doing: RaayClient
  /** Waits for what takes its time. */
  readonly patient: RaayClient
}

const ASK_TIMEOUT_MS = 8000
const PATIENT_TIMEOUT_MS = 300_000
const BACKOFF_MAX_MS = 2000
const DO_ATTEMPTS_MAX = 4

export const access = signal<Access>('asking')

/** Whether the exchange answers. */
export const reach = signal<'catching_up' | 'live' | 'offline'>('catching_up')

export const clients = computed<Clients>(() => clientsWith(adminToken.value))

// Another token is another question.
effect(() => {
  void adminToken.value
  access.value = 'asking'
})

function clientsWith(token: string | undefined): Clients {
  const options = {
    url: location.origin,
    timeoutMs: ASK_TIMEOUT_MS,
    backoffMaxMs: BACKOFF_MAX_MS,
    ...(token !== undefined && { adminToken: token }),
  }
  return {
    asking: new RaayClient({ ...options, attemptsMax: 1 }),
    doing: new RaayClient({ ...options, attemptsMax: DO_ATTEMPTS_MAX }),
    patient: new RaayClient({ ...options, attemptsMax: 1, timeoutMs: PATIENT_TIMEOUT_MS }),
  }
}

/** Takes note of how a question ended: answered, or with an error, which is handed on. */
export function hear(error?: unknown): RaayError | undefined {
  if (error === undefined) {
    reach.value = 'live'
    return undefined
  }
  const heard = error instanceof RaayError ? error : new RaayError(500, 'Page', String(error))
  const isUnanswered = heard.code === 502 || heard.code === 408 || heard.code === 504
  reach.value = isUnanswered ? 'offline' : 'live'
  // Whoever is in and is refused has to be asked again who they are.
  if (heard.code === 401 || heard.code === 403) access.value = 'asking'
  return heard
}

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
