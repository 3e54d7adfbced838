import type { RaayError } from '../../client/client.js'
import { t } from '../texts/kit.js'
import { errorText } from '../kit/error-text.js'

/** An error to show at a field of a form, or at its foot. */
export interface FieldFault {
  readonly field: string | undefined
  readonly words: string
}

/** The API's texts about a field in the words of the form's labels; other texts are shown as they are. */
const LABELLED: Readonly<Record<string, string>> = {
  'end_date: Expected a time after start_date': t.closesAfterOpens,
  'max_bet: Expected min_bet or more': t.maximumAboveMinimum,
  'start_date: Expected a time before end_date': t.opensBeforeCloses,
  'min_bet: Expected max_bet or less': t.minimumBelowMaximum,
  'payout: Expected 1 to 100': t.payoutRange,
}

/** Reads the field from a refusal like `end_date: Expected a time after start_date`, if the form has it. */
export function faultOf(
  error: Pick<RaayError, 'code' | 'message' | 'reason'>,
  fields: readonly string[],
): FieldFault {
  const [text = '', field = '', words = ''] = /^([a-z_]+): (.+)$/s.exec(error.message) ?? []
  if (error.code === 422 && fields.includes(field)) return { field, words: LABELLED[text] ?? `${words}.` }
  if (error.reason === 'event_exists' && fields.includes('title')) {
    return { field: 'title', words: t.titleTaken }
  }
  return { field: undefined, words: errorText(error) }
}
