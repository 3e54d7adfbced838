import { RaayClient } from '../../client/client.js'

const ASK_TIMEOUT_MS = 8000
const PATIENT_TIMEOUT_MS = 300_000
const DO_ATTEMPTS_MAX = 4

const options = { url: location.origin, timeoutMs: ASK_TIMEOUT_MS, backoffMaxMs: 2000 }

/** The operator’s clients, with different timeouts and retries; the session cookie authorises them. */
export const clients = {
  /** For polls: a single attempt. */
  asking: new RaayClient({ ...options, attemptsMax: 1 }),
  /** For actions: retries. */
  doing: new RaayClient({ ...options, attemptsMax: DO_ATTEMPTS_MAX }),
  /** For backups and ledger checks: a long timeout. */
  patient: new RaayClient({ ...options, attemptsMax: 1, timeoutMs: PATIENT_TIMEOUT_MS }),
}
