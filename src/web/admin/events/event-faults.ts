import type { RaayError } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { faultOf } from '../../forms/field-faults.js'
import { countText } from '../../kit/number-texts.js'
import { t } from '../../texts/admin-events.js'
import type { EventField } from './event-draft.js'
import { EVENT_FIELDS } from './event-draft.js'

type Words = (label: string, value: string) => string

/** The API's texts about fields, and what the form says instead, with its own labels. */
const SAID: readonly (readonly [said: RegExp, words: Words])[] = [
  [/^end_date: Expected a time after start_date$/, () => t.faults.datesCrossed],
  [/^start_date: Expected a time before end_date$/, () => t.faults.opensLate],
  [/^max_bet: Expected min_bet or more$/, () => t.faults.betsCrossed],
  [/^min_bet: Expected max_bet or less$/, () => t.faults.minAboveMax],
  [/^payout: Expected 1 to 100$/, () => t.faults.payoutRange],
  [/^payout: Expected whole rupees$/, () => t.faults.payoutWhole],
  [/: Expected at most (\d+) characters$/, (label, length) => t.faults.tooLong(label, counted(length))],
  [/: Expected an http or https address$/, () => t.faults.link],
  [/: Expected no (U\+\w+), which cannot be seen$/, (_, character) => t.faults.hidden(character)],
  [/: Expected at least one letter or digit$/, () => t.faults.noLetters],
  [/: Expected more than 0$/, label => t.faults.notPositive(label)],
  [/^fee_\w+: Expected /, () => t.wanted.rate],
  [/: Expected 0 or more$/, label => t.faults.notNegative(label)],
  [/: Expected a multiple of 0\.01$/, label => t.faults.step(label)],
  [/: Expected rupees with at most 4 decimals/, label => t.faults.money(label)],
  [/: Expected at most ([\d.]+)$/, (label, most) => t.faults.atMost(label, counted(most))],
  [/^quantity: Expected ([\d.]+) or more, the open interest$/, (_, open) => t.faults.openNow(counted(open))],
  [/^category: Expected one of the (\d+) in use$/, (_, count) => t.faults.categories(count)],
  [/: Expected text without lone surrogates or NUL$/, label => t.faults.notText(label)],
]
const TOO_LATE = /its (\w+) can no longer change$/

/** Puts a refusal of an event into the words of the form. */
export function eventFaultOf(error: Pick<RaayError, 'code' | 'message' | 'reason'>): FieldFault {
  const { code, message, reason } = error
  if (reason === 'event_exists') return { field: 'title', words: t.faults.taken }
  const late = code === 409 ? fieldNamed(TOO_LATE.exec(message)?.[1]) : undefined
  if (late !== undefined) return { field: late, words: t.faults.tooLate(t.fields[late]) }
  const field = code === 422 ? fieldNamed(/^(\w+): /.exec(message)?.[1]) : undefined
  if (field === undefined) return faultOf(error, EVENT_FIELDS)
  return { field, words: wordsOf(message, t.fields[field]) }
}

function wordsOf(message: string, label: string): string {
  for (const [said, words] of SAID) {
    const found = said.exec(message)
    if (found !== null) return words(label, found[1] ?? '')
  }
  return t.faults.unknown(label, `${message.replace(/^\w+: /, '')}.`)
}

function fieldNamed(name: string | undefined): EventField | undefined {
  return EVENT_FIELDS.find(field => field === name)
}

const counted = (digits: string) => countText(Number(digits))
