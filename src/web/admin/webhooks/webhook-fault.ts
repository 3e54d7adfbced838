import type { RaayError } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { faultOf } from '../../forms/field-faults.js'
import { countText } from '../../kit/number-texts.js'
import { t } from '../../texts/admin-webhooks.js'

/** The API's texts about fields, and what the form says instead. */
const SAID: readonly (readonly [said: RegExp, words: (value: string) => string])[] = [
  [/^url: Expected at most (\d+) characters$/, count => t.addressFaults.tooLong(countText(Number(count)))],
  [/^url: Expected an address such as /, () => t.addressFaults.noAddress],
  [/^url: Expected no user name and no password$/, () => t.addressFaults.credentials],
  [/^url: Expected no fragment$/, () => t.addressFaults.fragment],
  [/^url: Expected https$/, () => t.addressFaults.noHttps],
  [/^url: Expected port 443 or 8443$/, () => t.addressFaults.port],
  [/^url: Expected a public address, /, () => t.addressFaults.notPublic],
  [/^url: /, () => t.addressFaults.other],
  [/^from_sequence: /, () => t.replayNumber],
]

/** Returns how a refusal is shown; `site_closed` would read as a busy exchange elsewhere. */
export function webhookFault(
  error: Pick<RaayError, 'code' | 'message' | 'reason'>,
  fields: readonly string[] = [],
): FieldFault {
  const words = error.reason === undefined ? undefined : t.faults[error.reason]
  if (words !== undefined) return { field: undefined, words }
  const fault = faultOf(error, fields)
  if (fault.field === undefined) return fault
  for (const [said, wordsOf] of SAID) {
    const found = said.exec(error.message)
    if (found !== null) return { field: fault.field, words: wordsOf(found[1] ?? '') }
  }
  return fault
}
