import { computed } from '@preact/signals'
import { RaayClient } from '../../client/client.js'
import { adminToken } from './admin-token.js'

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

export const clients = computed<Clients>(() => clientsWith(adminToken.value))

export function clientsWith(token: string | undefined): Clients {
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
