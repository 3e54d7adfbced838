import type { RaayError } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { faultOf } from '../../forms/field-faults.js'
import { t } from '../../texts/admin-webhooks.js'

/** Returns how a refusal is shown; `site_closed` would read as a busy exchange elsewhere. */
export function webhookFault(error: RaayError, fields: readonly string[] = []): FieldFault {
  const words = error.reason === undefined ? undefined : t.faults[error.reason]
  return words === undefined ? faultOf(error, fields) : { field: undefined, words }
}
