import type { RaayError } from '../../client/client.js'
import { errorText } from '../kit/error-text.js'

/** An error to show at a field of a form, or at its foot. */
export interface FieldFault {
  readonly field: string | undefined
  readonly words: string
}

/** Reads the field from a refusal like `end_date: Expected a time after start_date`, if the form has it. */
export function faultOf(
  error: Pick<RaayError, 'code' | 'message' | 'reason'>,
  fields: readonly string[],
): FieldFault {
  const [, field = '', words = ''] = /^([a-z_]+): (.+)$/s.exec(error.message) ?? []
  if (error.code === 422 && fields.includes(field)) return { field, words: `${words}.` }
  return { field: undefined, words: errorText(error) }
}
