import { computed } from '@preact/signals'
import { RaayClient } from '../../client/client.js'
import { adminToken } from './admin-token.js'

/** The operator’s clients, with different timeouts and retries. */
interface Clients {
  /** For polls: a single attempt. */
  readonly asking: RaayClient
  /** For actions: retries. */
  readonly doing: RaayClient
  /** For backups and ledger checks: a long timeout. */
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
