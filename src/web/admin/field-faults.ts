import type { RaayError } from '../../client/client.js'
import { troubleWords } from '../kit/trouble-words.js'

/** A refusal at the field that it names, or at none. */
export interface FieldFault {
  readonly field: string | undefined
  readonly words: string
}

/** Where the exchange says `end_date: Expected a time after start_date`, at the field if the form has it. */
export function faultOf(error: Pick<RaayError, 'code' | 'message'>, fields: readonly string[]): FieldFault {
  const [, field = '', words = ''] = /^([a-z_]+): (.+)$/s.exec(error.message) ?? []
  if (error.code === 422 && fields.includes(field)) return { field, words: `${words}.` }
  if (error.code === 409 && error.message === 'Event already exists' && fields.includes('title')) {
    return { field: 'title', words: 'An event with this title already exists. Choose another title.' }
  }
  return { field: undefined, words: troubleWords(error) }
}
