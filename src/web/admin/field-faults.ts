import type { RaayError } from '../../client/client.js'

/** A refusal at the field that it names, or at none. */
export interface FieldFault {
  readonly field: string | undefined
  readonly words: string
}

/** Words for what went wrong between the page and the exchange. */
export function troubleWords({ code, message }: Pick<RaayError, 'code' | 'message'>): string {
  if (code === 502 || code === 408 || code === 504)
    return 'The exchange is not responding. Try again in a moment.'
  if (code === 503 || code === 429) return 'The exchange is busy. Try again in a moment.'
  return message.endsWith('.') ? message : `${message}.`
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
